//! Find the patch in a reply, in whatever format it comes.
//!
//! The structure of the reply decides its format, never the format that was asked for, and always in the same order:
//!
//! 1. Between `<<<AI_DIFF_START>>>` and `<<<AI_DIFF_END>>>`, when they are alone on lines, and nowhere else.
//! 2. From the top, what begins first is read to its end by the one parser for it: V4A (`*** Begin Patch`), git or
//!    unified diff, SEARCH/REPLACE, edits in tags, JSON. So a diff inside a JSON string is read as what the object says of it, and
//!    a JSON list inside a diff is content.
//! 3. Fenced blocks are whole files only when nothing of the second kind was found. Whether their text is a whole file is decided
//!    where the existing file is known, in `apply`.
//! 4. `NO_CHANGES_NEEDED` alone on a line counts only when there is no patch.

mod account;
mod choose;
mod drafts;
mod envelope;
mod filename_token;
mod heredoc;
mod json;
mod json_index;
mod labels;
mod lines;
mod meant;
mod merge;
mod nameless;
mod names;
mod normal;
mod notes;
mod quoted_line;
mod replacement;
mod scan;
mod search_replace;
mod seen;
mod several;
mod template;
mod unified;
mod v4a;
mod whole_file;
mod xml;

pub use account::Surroundings;

use crate::answer::{self, ApiAnswer};
use crate::{limits, numbered};
use account::Closing;
use choose::Chosen;
use guardhost_core::change::{FileOp, FilePatch, NoPatch, NoPatchKind, Patch, RepairedReply, RepoPath};
use guardhost_core::stop::{StopToken, Stopped, Watch};
use lines::{Lines, truncated};
use notes::Notes;
use scan::ScanResult;

/// The patch in `repaired`, if every line of it is accounted for. `hints` are the paths that the task names: a single one replaces a
/// missing file name, and they decide between two readings of a name. `files` are those that the reply may speak of.
///
/// # Errors
/// When it was ended. [`NoPatch`] when there is no patch that can be read completely; its message says what to send instead.
pub fn extract(
    repaired: RepairedReply,
    hints: &[RepoPath],
    files: &Surroundings,
    stop: &StopToken,
) -> Result<Result<Patch, NoPatch>, Stopped> {
    stop.within(limits::STAGE, |watch| extracted(repaired, hints, files, watch))
}

fn extracted(
    repaired: RepairedReply,
    hints: &[RepoPath],
    known: &Surroundings,
    watch: &Watch,
) -> Result<Patch, NoPatch> {
    if let Some(message) = limits::exceeded(&repaired.bytes) {
        return Err(NoPatch::new(NoPatchKind::Malformed, message));
    }
    let mut notes = Notes::new(repaired.notes);
    let mut lines = lines::split(&repaired.bytes);
    if lines.iter().all(|line| lines::blank(line)) {
        return Err(NoPatch::new(NoPatchKind::Empty, "The reply is empty."));
    }
    if lines.iter().find(|line| !lines::blank(line)).is_some_and(|line| line.trim_ascii_start().starts_with(b"<think"))
    {
        return Err(truncated(0, "it ends inside <think>"));
    }
    if answer::read(&repaired.bytes) == Some(ApiAnswer::Cut) {
        return Err(truncated(0, "it is the answer of an API, which says that it is not complete"));
    }
    if lines::sent_with_crlf(&lines) {
        notes.add("crlf", "the lines of the reply end in CR LF");
        lines.iter_mut().for_each(|line| *line = line.strip_suffix(b"\r").unwrap_or(line));
    }
    let is_envelope = envelope::keep_between_markers(&mut lines)?;
    if is_envelope && lines.iter().all(|line| lines::blank(line)) {
        return Err(NoPatch::new(NoPatchKind::Empty, "There is nothing between the markers."));
    }
    envelope::open_tags(&mut lines);
    let mut lines = Lines::new(lines, watch);
    lines.is_closed = is_envelope;
    let mut found = scan::scan(&mut lines, hints, known, &mut notes)?;
    found.account.leave_superseded_out(&mut found.files, &lines, &mut notes);
    let ScanResult { blocks, message, header_counts, tail, account, files, as_written, .. } = found;
    let Chosen { format, mut files, blocks: block_edits } =
        choose::choose(files, &blocks, &lines, hints, known, &mut notes)?;
    meant::resolve(&mut files, &as_written, known, &mut notes)?;
    let edits: Vec<&FilePatch> = files.iter().collect();
    let (blocks, block_edits) = (&blocks, &block_edits);
    // Of several formats each patch may be the whole, as of one that is no sequence.
    let is_sequence = format.is_sequence() && files.iter().all(|file| file.format.is_none());
    let closing =
        Closing { lines: &lines, blocks, block_edits, edits: &edits, hints, files: known, is_envelope, is_sequence };
    let account = account.close(&closing, &mut notes)?;
    several::check(&files, format, known, &mut notes)?;
    for file in &mut files {
        watch.visit();
        if let FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } = &mut file.op
            && hunks.iter_mut().map(numbered::strip_hunk).filter(|stripped| *stripped).count() > 0
        {
            notes.add("line-numbers", format_args!("{}: the lines were quoted with their numbers", file.path));
        }
    }
    let (files, sections) = merge::merge(files, format, &mut notes, watch);
    Ok(Patch { format, files, message, header_counts, sections, tail, notes: notes.into_vec(), account })
}
