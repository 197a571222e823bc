//! A whole file below a token with its name, as models that complete code write it: `<filename>src/a.py`, the lines of the file, and
//! `<|endoftext|>` or the next file.
//!
//! Format: the data on which StarCoder was trained.

use super::lines::{Lines, joined, truncated};
use super::names;
use crate::end_tokens::{END_OF_FILE, FILENAME};
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, NoPatch, RepoPath};

/// The name behind the token, which is not closed as an element is.
pub(super) fn starts(lines: &[&[u8]], at: usize) -> Option<RepoPath> {
    names::plausible(lines.get(at)?.strip_prefix(FILENAME)?.trim_ascii(), &[])
}

/// Reads the file, and gives the line after it. Without a token at its end it may have been cut off.
pub(super) fn parse(lines: &Lines, at: usize, path: RepoPath) -> Result<(FilePatch, usize), NoPatch> {
    let is_end = |line: &[u8]| line.trim_ascii() == END_OF_FILE;
    let end = (at + 1..lines.len()).find(|&at| is_end(lines[at]) || starts(lines, at).is_some());
    let end = end.ok_or_else(|| truncated(at, "the file below <filename> has no token at its end"))?;
    let written_by = Author::Model { says_whole: false };
    let op = FileOp::Write(joined(&lines[at + 1..end]));
    let file = FilePatch { written_by, existence: Existence::Unsaid, ..FilePatch::new(path, op) };
    Ok((file, if is_end(lines[end]) { end + 1 } else { end }))
}
