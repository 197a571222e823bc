//! Conflict markers in what is written: two texts of which nobody has chosen one.

use super::{BaseFile, is_prose, lines_of};
use guardhost_core::change::{FileOp, Line};
use guardhost_core::error::Result;

/// Why the file cannot be written, if its new lines have a whole conflict, and the file itself has none.
pub(super) fn undecided(op: &FileOp, base: &BaseFile) -> Result<Option<&'static str>> {
    let has_conflict = match op {
        FileOp::Create(bytes) | FileOp::Write(bytes) => is_conflict(lines_of(bytes).into_iter()),
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => {
            let added = |line: &'_ &Line| matches!(line, Line::Add(_));
            hunks.iter().any(|hunk| is_conflict(hunk.lines.iter().filter(added).map(Line::bytes)))
        }
        FileOp::Delete(_) => false,
    };
    if !has_conflict || is_prose(base.path()) {
        return Ok(None);
    }
    let is_old = base.text()?.is_some_and(|text| lines_of(&text).iter().any(|line| line.starts_with(OURS)));
    Ok((!is_old).then_some(
        "its new lines have conflict markers around two texts. Send the one that is meant, without the markers.",
    ))
}

const OURS: &[u8] = b"<<<<<<< ";

fn is_conflict<'l>(mut lines: impl Iterator<Item = &'l [u8]>) -> bool {
    lines.any(|line| line.starts_with(OURS))
        && lines.any(|line| line.trim_ascii_end() == b"=======")
        && lines.any(|line| line.starts_with(b">>>>>>> "))
}
