//! An edit that replaces every occurrence of its text, as one hunk for each part of the file that changes.

use bstr::ByteSlice;
use guardhost_core::change::{Hunk, Line};

use super::lines_of;
use crate::limits::WRITTEN_BYTES;

/// Why such an edit cannot be made.
pub(super) const WRITTEN_BY_OTHERS: &str = "is replaced everywhere, and another edit of the same file writes it. Send the edits one after the other, each in a reply of its own.";

/// The hunks for all places of the text of `hunk` in `text`, or None when it is not there as it is: then the lines are looked for
/// as those of any other hunk.
///
/// # Errors
/// When they write more than a patch may hold: a short reply can ask for any number of bytes.
pub(super) fn hunks(hunk: &Hunk, text: &[u8]) -> Result<Option<Vec<Hunk>>, String> {
    let (mut old, mut new) = (side(hunk, Line::is_old), side(hunk, Line::is_new));
    if hunk.ends_line {
        old.push(b'\n');
        new.extend(hunk.lines.iter().any(Line::is_new).then_some(b'\n'));
    }
    let starts: Vec<usize> = if old.is_empty() { Vec::new() } else { text.find_iter(&old).collect() };
    let written = starts.len().saturating_mul(new.len());
    if written > WRITTEN_BYTES {
        return Err(format!(
            "the text is in {} places, and replacing all writes {written} bytes; {WRITTEN_BYTES} are allowed.",
            starts.len()
        ));
    }
    let mut made: Vec<Hunk> = Vec::new();
    let mut at = 0;
    // Lines above the place that was looked at last, and where these end.
    let (mut above, mut counted) = (0, 0);
    while at < starts.len() {
        let first = line_start(text, starts[at]);
        // Occurrences that share a line are one part.
        let mut end = line_end(text, starts[at] + old.len());
        let mut next = at + 1;
        while next < starts.len() && starts[next] < end {
            // Most of them end in the line that is known.
            if starts[next] + old.len() > end {
                end = line_end(text, starts[next] + old.len());
            }
            next += 1;
        }
        let part = &text[first..end];
        above += text[counted..first].iter().filter(|byte| **byte == b'\n').count();
        counted = first;
        let removed = lines_of(part).into_iter().map(|line| Line::Remove(line.to_vec()));
        let replaced = part.replace(&old, &new);
        let added = lines_of(&replaced).into_iter().map(|line| Line::Add(line.to_vec()));
        let old_start = u32::try_from(above + 1).ok();
        made.push(Hunk { old_start, lines: removed.chain(added).collect(), ..Hunk::default() });
        at = next;
    }
    Ok((!made.is_empty()).then_some(made))
}

/// Whether another hunk writes the text that `hunk` replaces everywhere.
pub(super) fn is_written_by_others(hunk: &Hunk, hunks: &[Hunk]) -> bool {
    let old = side(hunk, Line::is_old);
    hunks.iter().any(|other| !std::ptr::eq(hunk, other) && side(other, Line::is_new).contains_str(&old))
}

fn side(hunk: &Hunk, is_side: fn(&Line) -> bool) -> Vec<u8> {
    hunk.lines.iter().filter(|line| is_side(line)).map(Line::bytes).collect::<Vec<_>>().join(&b'\n')
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].rfind_byte(b'\n').map_or(0, |end| end + 1)
}

/// One past the line feed of the line that holds the byte before `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    if text[..at].ends_with(b"\n") {
        return at;
    }
    text[at..].find_byte(b'\n').map_or(text.len(), |end| at + end + 1)
}
