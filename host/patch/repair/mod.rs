//! Undo what is certainly damage in a reply; fails only when it is ended, notes every repair.
//!
//! Damage is done to the text in transit: a terminal's colours, a server that leaves the model's thinking in, a layer that
//! escapes once too often, JSON that is almost JSON. What may be meant is left alone, so an undamaged reply stays as it is.

mod ansi;
mod answer;
mod channels;
mod end_token;
mod escaped;
mod html_element;
mod json;
mod line_ends;
mod line_numbers;
mod quoted;
mod quoted_printable;
mod signs;
mod think;
mod zero_width;

use crate::{formats, limits};
use guardhost_core::change::{Note, RepairedReply, Reply};
use guardhost_core::stop::{StopToken, Stopped, Watch};

/// The repaired text, or None when there is nothing to repair.
type Repair = fn(&[u8], &Watch) -> Option<(Vec<u8>, Note)>;

/// The damage that was done last is undone first.
const REPAIRS: [Repair; 17] = [
    byte_order_mark,
    answer::strip,
    quoted_printable::strip,
    ansi::strip,
    channels::strip,
    end_token::strip,
    think::strip,
    line_ends::strip,
    quoted::strip,
    line_numbers::strip,
    escaped::json_string,
    escaped::literal_newlines,
    escaped::html_entities,
    html_element::decode,
    zero_width::strip,
    signs::strip,
    json::repair,
];

/// One repair can uncover other damage: colours around a JSON string around a diff. No known tool nests deeper than this.
const PASSES: usize = 8;

/// The same content without the damage. Repairing twice gives the same as repairing once. A reply above the limits stays as it
/// is: `extract` refuses it.
///
/// # Errors
/// When it was ended; there is no other.
pub fn repair(reply: &Reply, stop: &StopToken) -> Result<RepairedReply, Stopped> {
    stop.within(limits::STAGE, |watch| repaired(reply, watch))
}

/// The JSON object that a reply was asked for: the first one that `is_wanted`, where the reply may have prose, fences and the damage that
/// [`repair`] undoes around it, and almost valid JSON in it. None when it has none, or is above the limits.
///
/// # Errors
/// When it was ended; there is no other.
pub fn json_object(
    reply: &Reply,
    is_wanted: fn(&serde_json::Value) -> bool,
    stop: &StopToken,
) -> Result<Option<serde_json::Value>, Stopped> {
    stop.within(limits::STAGE, |watch| {
        let bytes = repaired(reply, watch).bytes;
        let text = std::str::from_utf8(&bytes).ok()?;
        // Prose may stand before it on the same line.
        let bare = text.find('{').map(|at| &text[at..]);
        json::wanted(text, is_wanted, watch).or_else(|| json::wanted(bare?, is_wanted, watch))
    })
}

fn repaired(reply: &Reply, watch: &Watch) -> RepairedReply {
    let mut repaired = RepairedReply { bytes: reply.bytes.clone(), notes: Vec::new() };
    if limits::exceeded(&repaired.bytes).is_some() {
        return repaired;
    }
    for _ in 0..PASSES {
        let mut changed = false;
        for repair in REPAIRS {
            watch.checkpoint();
            if let Some((bytes, note)) = repair(&repaired.bytes, watch) {
                repaired.bytes = bytes;
                changed = true;
                if !repaired.notes.contains(&note) {
                    repaired.notes.push(note);
                }
            }
        }
        if !changed {
            break;
        }
    }
    repaired
}

fn byte_order_mark(text: &[u8], _: &Watch) -> Option<(Vec<u8>, Note)> {
    let rest = text.strip_prefix("\u{feff}".as_bytes())?;
    Some((rest.to_vec(), Note::new("bom", "a byte order mark before the reply")))
}

/// A line that only a patch has: how repairs tell a patch from prose.
fn is_patch_header(line: &[u8]) -> bool {
    line.starts_with(formats::START.as_bytes()) || formats::begins_with(line, |row| row.headers)
}
