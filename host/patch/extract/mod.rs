//! Find the patch in a reply, in whatever format it comes.
//!
//! The structure of the reply decides its format, never the format that was asked for, and always in the same order:
//!
//! 1. Between `<<<AI_DIFF_START>>>` and `<<<AI_DIFF_END>>>`, when they are alone on lines, and nowhere else.
//! 2. From the top, what begins first is read to its end by the one parser for it: V4A (`*** Begin Patch`), git or
//!    unified diff, SEARCH/REPLACE, JSON list. So a diff inside a JSON string, or a JSON list inside a diff, is content.
//! 3. Fenced blocks are whole files only when nothing of the second kind was found.
//! 4. `NO_CHANGES_NEEDED` alone on a line counts only when there is no patch.

mod choose;
mod elision;
mod json_list;
mod lines;
mod merge;
mod names;
mod notes;
mod scan;
mod search_replace;
mod unified;
mod v4a;
mod whole_file;

use crate::formats::{END, START};
use guardhost_core::change::{Mended, NoPatch, NoPatchKind, Patch, PatchFormat, RepoPath};
use lines::truncated;
use notes::Notes;

/// The patch in `mended`. `hints` are the paths that the task names: a single one replaces a missing file name, and they decide
/// between two readings of a name.
///
/// # Errors
/// [`NoPatch`] when there is none that can be read completely; its message says what to send instead.
pub fn extract(mended: Mended, hints: &[RepoPath]) -> Result<Patch, NoPatch> {
    let mut notes = Notes::new(mended.notes);
    let mut lines = lines::split(&mended.bytes);
    if lines.iter().all(|line| lines::blank(line)) {
        return Err(NoPatch { kind: NoPatchKind::Empty, message: "The reply is empty.".into() });
    }
    if lines.iter().find(|line| !lines::blank(line)).is_some_and(|line| line.trim_ascii_start().starts_with(b"<think"))
    {
        return Err(truncated(0, "it ends inside <think>"));
    }
    if lines::sent_with_crlf(&lines) {
        notes.add("crlf", "the lines of the reply end in CR LF");
        lines.iter_mut().for_each(|line| *line = line.strip_suffix(b"\r").unwrap_or(line));
    }
    if keep_between_markers(&mut lines)? && lines.iter().all(|line| lines::blank(line)) {
        return Err(NoPatch { kind: NoPatchKind::Empty, message: "There is nothing between the markers.".into() });
    }
    let mut found = scan::scan(&lines, hints, &mut notes)?;
    let (message, header_counts) = (found.message.take(), found.header_counts);
    let (format, files) = choose::choose(found, &lines, hints, &mut notes)?;
    let (files, sections) = merge::merge(files, format == PatchFormat::SearchReplace, &mut notes);
    Ok(Patch { format, files, message, header_counts, sections, notes: notes.into_vec() })
}

/// Blanks every line outside the markers, so that line numbers stay what they were; false when there are no markers.
fn keep_between_markers(lines: &mut [&[u8]]) -> Result<bool, NoPatch> {
    if !lines.iter().any(|line| line.trim_ascii_end() == START.as_bytes()) {
        return Ok(false);
    }
    let mut open = None;
    for (at, line) in lines.iter_mut().enumerate() {
        let text = line.trim_ascii_end();
        if text == START.as_bytes() {
            (open, *line) = (Some(at), b"");
        } else if text == END.as_bytes() {
            (open, *line) = (None, b"");
        } else if open.is_none() {
            *line = b"";
        }
    }
    open.map_or(Ok(true), |at| Err(truncated(at, "<<<AI_DIFF_END>>> is missing")))
}
