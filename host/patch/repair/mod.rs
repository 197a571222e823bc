//! Mend what surely is damage in a reply; never fails, notes every mend.
//!
//! Mended is what happened to the text on its way: a terminal's colours, a server that leaves the thinking in, a layer that
//! escaped once too often, JSON that is almost JSON. What may be meant is left alone, so a clean reply stays as it is.

mod ansi;
mod escaped;
mod json;
mod think;
mod zero_width;

use crate::formats;
use guardhost_core::change::{Mended, Note, Reply};

/// The mended text, or None when there is nothing to mend.
type Mend = fn(&[u8]) -> Option<(Vec<u8>, Note)>;

/// In the order in which the damage was done, last first.
const MENDS: [Mend; 8] = [
    byte_order_mark,
    ansi::strip,
    think::strip,
    escaped::json_string,
    escaped::literal_newlines,
    escaped::html_entities,
    zero_width::strip,
    json::mend,
];

/// One mend can lay bare another: colours around a JSON string around a diff. Nobody wraps deeper than this.
const PASSES: usize = 8;

/// The same content without the damage. Repairing twice is the same as repairing once.
pub fn repair(reply: &Reply) -> Mended {
    let mut mended = Mended { bytes: reply.bytes.clone(), notes: Vec::new() };
    for _ in 0..PASSES {
        let mut changed = false;
        for mend in MENDS {
            if let Some((bytes, note)) = mend(&mended.bytes) {
                mended.bytes = bytes;
                changed = true;
                if !mended.notes.contains(&note) {
                    mended.notes.push(note);
                }
            }
        }
        if !changed {
            break;
        }
    }
    mended
}

fn byte_order_mark(text: &[u8]) -> Option<(Vec<u8>, Note)> {
    let rest = text.strip_prefix("\u{feff}".as_bytes())?;
    Some((rest.to_vec(), Note::new("bom", "a byte order mark before the reply")))
}

/// A line that only a patch has: how repairs tell a patch from prose.
fn is_patch_header(line: &[u8]) -> bool {
    line.starts_with(formats::START.as_bytes()) || formats::begins_with(line, |row| row.headers)
}
