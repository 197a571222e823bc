//! Added lines that lost their margin: they begin in the first column, where the lines above and below them do not.

use super::text::{has_comment_mark, margin};
use super::{BaseFile, is_prose};
use guardhost_core::change::{FileOp, Hunk, Line};

pub(super) const STRIPPED: &str = "its added lines begin in the first column, and the lines around them do not: their margin may be lost. Send \
                                   them with the margin that they are to have.";

/// Whether a hunk adds lines without a margin alone, amid lines with one, and the last of them opens no block and closes none.
pub(super) fn is_stripped(op: &FileOp, base: &BaseFile) -> bool {
    let hunks = match op {
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => hunks.as_slice(),
        FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => &[],
    };
    !is_prose(base.path()) && hunks.iter().any(has_stripped)
}

fn has_stripped(hunk: &Hunk) -> bool {
    let is_text = |line: &&Line| !line.bytes().trim_ascii().is_empty();
    let new: Vec<&Line> = hunk.lines.iter().filter(|line| line.is_new()).filter(is_text).collect();
    let is_added = |line: &Line| matches!(line, Line::Add(_));
    let added: Vec<usize> = (0..new.len()).filter(|at| is_added(new[*at])).collect();
    let (Some(&first), Some(&last)) = (added.first(), added.last()) else { return false };
    // One run of added lines, with a line of the file on both sides.
    if first == 0 || last + 1 == new.len() || added.len() != last + 1 - first {
        return false;
    }
    let text = new[last].bytes().trim_ascii_end();
    let opens = text.last().is_some_and(|byte| b":{([,\\>|&".contains(byte));
    let closes = |line: &[u8]| {
        line.first().is_some_and(|byte| b"})]<#`'\"@".contains(byte))
            || line.starts_with(b"end")
            || has_comment_mark(line)
    };
    let lines = || new[first..=last].iter().map(|line| line.bytes());
    let is_inner = |at: usize| margin(new[at].bytes()) > 0;
    lines().all(|line| margin(line) == 0 && !closes(line)) && !opens && is_inner(first - 1) && is_inner(last + 1)
}
