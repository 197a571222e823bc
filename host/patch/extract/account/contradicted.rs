//! Words that rule out what the patch writes: `99 (not 49)` above a patch that writes 49.

use std::collections::HashSet;

use bstr::ByteSlice;
use guardhost_core::change::{FileOp, FilePatch, Hunk, Line};

/// The numbers and names of the lines that edits add, and those of the lines that they take or keep.
pub(super) struct Written {
    added: HashSet<Vec<u8>>,
    old: HashSet<Vec<u8>>,
}

impl Written {
    pub fn by(edits: &[&FilePatch]) -> Self {
        let mut written = Written { added: HashSet::new(), old: HashSet::new() };
        for hunk in edits.iter().flat_map(|edit| hunks(&edit.op)) {
            for line in &hunk.lines {
                let set = if matches!(line, Line::Add(_)) { &mut written.added } else { &mut written.old };
                set.extend(tokens(line.bytes()).map(<[u8]>::to_vec));
            }
        }
        written
    }

    /// Whether the line says `not` of a number that the patch writes and the file did not have there.
    pub fn is_ruled_out(&self, line: &[u8]) -> bool {
        let words: Vec<&[u8]> = line.split(|byte| !is_part(byte)).filter(|word| !word.is_empty()).collect();
        let is_new = |word: &[u8]| {
            word.first().is_some_and(u8::is_ascii_digit) && self.added.contains(word) && !self.old.contains(word)
        };
        let others =
            |at: usize| words[..at].iter().any(|word| word.first().is_some_and(u8::is_ascii_digit) && !is_new(word));
        words.windows(2).enumerate().any(|(at, pair)| {
            pair[0].eq_ignore_ascii_case(b"not") && is_new(pair[1].trim_end_with(|c| c == '.')) && others(at)
        })
    }
}

fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_digit() && *byte != b'.')
        .filter(|word| word.first().is_some_and(u8::is_ascii_digit))
}

pub(super) fn hunks(op: &FileOp) -> &[Hunk] {
    match op {
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => hunks,
        FileOp::Delete(_) | FileOp::Create(_) | FileOp::Write(_) => &[],
    }
}
