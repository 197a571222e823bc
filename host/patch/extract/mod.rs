//! Find the patch in a reply, in whatever format it comes.
//!
//! Which format a reply has is decided by its structure, never by what was asked for, and always in the same way:
//!
//! 1. Between `<<<AI_DIFF_START>>>` and `<<<AI_DIFF_END>>>`, when they stand alone on lines, and nowhere else.
//! 2. From the top, whatever begins first is read to its end by the one parser for it: V4A (`*** Begin Patch`), git or
//!    unified diff, SEARCH/REPLACE, JSON list. So a diff inside a JSON string, or a JSON list inside a diff, is content.
//! 3. Fenced blocks are whole files only when nothing of the second kind was found.
//! 4. `NO_CHANGES_NEEDED` alone on a line counts only when there is no patch.
//!
//! Two formats in one reply, a section that cannot be read, or a reply that ends inside a patch: no patch at all. Nothing
//! that looks like a section is left out silently.

mod elision;
mod json_list;
mod lines;
mod merge;
mod names;
mod scan;
mod search_replace;
mod unified;
mod v4a;
mod whole_file;

use guardhost_core::change::{FilePatch, Mended, NoPatch, NoPatchKind, Note, Patch, PatchFormat, RepoPath};
use lines::{malformed, truncated};
use scan::Scan;

const START: &[u8] = b"<<<AI_DIFF_START>>>";
const END: &[u8] = b"<<<AI_DIFF_END>>>";
const NO_CHANGE: &str = "NO_CHANGES_NEEDED";

/// The patch in `mended`. `hints` are the paths that the task names: they stand in for a missing file name when there is
/// only one, and decide between two readings of a name.
///
/// # Errors
/// [`NoPatch`] when there is none that can be read completely; its message tells the model what to send instead.
pub fn extract(mended: Mended, hints: &[RepoPath]) -> Result<Patch, NoPatch> {
    let mut notes = Notes(mended.notes);
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
    if between_markers(&mut lines)? && lines.iter().all(|line| lines::blank(line)) {
        return Err(NoPatch { kind: NoPatchKind::Empty, message: "There is nothing between the markers.".into() });
    }
    let scan = scan::scan(&lines, hints, &mut notes)?;
    let message = scan.message.clone();
    let (format, files) = choose(scan, &lines, hints, &mut notes)?;
    let files = merge::merge(files, format == PatchFormat::SearchReplace, &mut notes);
    Ok(Patch { format, files, message, notes: notes.0 })
}

/// Blanks every line outside the markers, so that line numbers stay what they were; false when there are no markers.
fn between_markers(lines: &mut [&[u8]]) -> Result<bool, NoPatch> {
    if !lines.iter().any(|line| line.trim_ascii_end() == START) {
        return Ok(false);
    }
    let mut open = None;
    for (at, line) in lines.iter_mut().enumerate() {
        match line.trim_ascii_end() {
            START => (open, *line) = (Some(at), b""),
            END => (open, *line) = (None, b""),
            _ if open.is_none() => *line = b"",
            _ => {}
        }
    }
    open.map_or(Ok(true), |at| Err(truncated(at, "<<<AI_DIFF_END>>> is missing")))
}

/// One format and its sections, or why there are none.
fn choose(
    scan: Scan,
    lines: &[&[u8]],
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<(PatchFormat, Vec<FilePatch>), NoPatch> {
    let Scan { found, blocks, .. } = scan;
    let sentinel = lines.iter().any(|line| is_sentinel(line));
    let family = |format: PatchFormat| if format == PatchFormat::GitDiff { PatchFormat::UnifiedDiff } else { format };
    if let Some((first, _)) = found.first() {
        if let Some((other, file)) = found.iter().find(|(format, _)| family(*format) != family(*first)) {
            let why = format!("The reply mixes two formats ({first:?}, and {other:?} for {}). Use one.", file.path);
            return Err(NoPatch { kind: NoPatchKind::Malformed, message: why });
        }
        let git = found.iter().any(|(format, _)| *format == PatchFormat::GitDiff);
        let format = if git { PatchFormat::GitDiff } else { *first };
        let files: Vec<FilePatch> = found.into_iter().map(|(_, file)| file).collect();
        for copy in whole_file::beside(&blocks, &files)? {
            notes.add("extra-copy", format_args!("a whole copy of {copy} stands beside the patch; the patch counts"));
        }
        if sentinel {
            notes.add("sentinel", format_args!("{NO_CHANGE} stands beside the patch; the patch counts"));
        }
        return Ok((format, files));
    }
    match whole_file::files(blocks, hints)? {
        Some(files) => Ok((PatchFormat::WholeFile, files)),
        None if sentinel => Err(NoPatch { kind: NoPatchKind::NoChange, message: "Nothing needs to change.".into() }),
        None => Err(leftover(lines).unwrap_or_else(|| NoPatch {
            kind: NoPatchKind::Prose,
            message: format!(
                "There is no patch in the reply. Send a unified diff, or answer {NO_CHANGE} alone on a line if nothing \
                 needs to change."
            ),
        })),
    }
}

fn is_sentinel(line: &[u8]) -> bool {
    // Behind a blank it may be a context line of a diff.
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let text = text.trim_end().trim_matches(['`', '*']);
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text) == NO_CHANGE
}

/// Pieces of a patch whose beginning is missing.
fn leftover(lines: &[&[u8]]) -> Option<NoPatch> {
    let pieces: [&[u8]; 4] = [b"+++ ", b">>>>>>> REPLACE", b"*** End Patch", b"*** Move to:"];
    let at = lines.iter().position(|line| pieces.iter().any(|piece| line.starts_with(piece)))?;
    Some(malformed(at, format_args!("{} belongs to a patch whose beginning is missing", lines::quote(lines[at]))))
}

/// What was mended, each thing once.
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, code: &'static str, text: impl std::fmt::Display) {
        let note = Note::new(code, text);
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }
}
