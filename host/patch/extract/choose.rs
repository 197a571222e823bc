//! Of all that the scan found: one format and its sections, or why there are none.

use std::collections::HashSet;

use super::lines::{Lines, malformed, quote};
use super::notes::Notes;
use super::whole_file::{self, Block};
use super::{drafts, seen};
use crate::formats;
use guardhost_core::change::{FileOp, FilePatch, NoPatch, NoPatchKind, PatchFormat, RepoPath};

const NO_CHANGE: &str = "NO_CHANGES_NEEDED";

/// What was chosen, and the blocks that it is made of, by their numbers.
pub(super) struct Chosen {
    pub format: PatchFormat,
    pub files: Vec<FilePatch>,
    pub blocks: Vec<usize>,
}

pub(super) fn choose(
    files: Vec<(PatchFormat, FilePatch)>,
    blocks: &[Block],
    lines: &Lines,
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<Chosen, NoPatch> {
    let has_sentinel = lines.iter().any(|line| is_sentinel(line));
    if let Some(format) = one_format(&files)? {
        let files: Vec<FilePatch> = files.into_iter().map(|(_, file)| file).collect();
        if has_sentinel {
            notes.add("sentinel", format_args!("the reply also has {NO_CHANGE}; the patch counts"));
        }
        return Ok(Chosen { format, files, blocks: Vec::new() });
    }
    match whole_file::files(blocks, hints)? {
        Some(chosen) => {
            let (blocks, files) = chosen.into_iter().unzip();
            Ok(Chosen { format: PatchFormat::WholeFile, files, blocks })
        }
        None if has_sentinel => Err(NoPatch::new(NoPatchKind::NoChange, "Nothing needs to change.")),
        None => Err(leftover(lines).or_else(|| other_form(lines)).unwrap_or_else(no_patch)),
    }
}

/// The format of all sections; None without a section. A diff is git's when one of its sections is.
fn one_format(files: &[(PatchFormat, FilePatch)]) -> Result<Option<PatchFormat>, NoPatch> {
    let Some((first, _)) = files.first() else { return Ok(None) };
    let is_diff = |format: PatchFormat| matches!(format, PatchFormat::GitDiff | PatchFormat::UnifiedDiff);
    let mixes = |format: PatchFormat| format != *first && !(is_diff(format) && is_diff(*first));
    if let Some((other, file)) = files.iter().find(|(format, _)| mixes(*format)) {
        let (first, other) = (first.label(), other.label());
        let why = format!("The reply mixes two formats ({first}, and {other} for {}). Use one.", file.path);
        return Err(NoPatch::new(NoPatchKind::Malformed, why));
    }
    if *first == PatchFormat::SearchReplace {
        refuse_empty_search(files)?;
    }
    drafts::refuse(files)?;
    let is_git = files.iter().any(|(format, _)| *format == PatchFormat::GitDiff);
    Ok(Some(if is_git { PatchFormat::GitDiff } else { *first }))
}

/// A block with an empty SEARCH makes a new file, so no other block can search in it.
fn refuse_empty_search(files: &[(PatchFormat, FilePatch)]) -> Result<(), NoPatch> {
    let is_new = |file: &&FilePatch| matches!(file.op, FileOp::Create(_));
    let new: HashSet<&RepoPath> = files.iter().map(|(_, file)| file).filter(is_new).map(|file| &file.path).collect();
    let Some((_, file)) = files.iter().find(|(_, file)| !is_new(&file) && new.contains(&file.path)) else {
        return Ok(());
    };
    let message = format!(
        "A block for {} has an empty SEARCH, which makes a new file, and another block searches in it. If {} exists, SEARCH for \
         the line next to which the text belongs.",
        file.path, file.path
    );
    Err(NoPatch::new(NoPatchKind::Malformed, message))
}

fn is_sentinel(line: &[u8]) -> bool {
    // After a blank it may be a context line of a diff.
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let text = text.trim_end().trim_matches(['`', '*']);
    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text) == NO_CHANGE
}

/// Pieces of a patch whose beginning is missing.
fn leftover(lines: &[&[u8]]) -> Option<NoPatch> {
    let at = lines.iter().position(|line| formats::begins_with(line, |row| row.leftovers))?;
    Some(malformed(at, format_args!("{} belongs to a patch whose beginning is missing", quote(lines[at]))))
}

/// A change in a form that is not read.
fn other_form(lines: &Lines) -> Option<NoPatch> {
    let (at, form) = seen::in_reply(lines)?;
    Some(malformed(at, format_args!("{} begins {form}, which is not read here; send a unified diff", quote(lines[at]))))
}

fn no_patch() -> NoPatch {
    let message = format!(
        "There is no patch in the reply. Send a unified diff, or answer {NO_CHANGE} alone on a line if nothing needs to change."
    );
    NoPatch::new(NoPatchKind::Prose, message)
}
