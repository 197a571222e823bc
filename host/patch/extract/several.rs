//! The format of a reply, and the sections of one that has several formats: each file has sections in one of them.

use std::collections::{HashMap, HashSet};

use super::account::Surroundings;
use super::drafts;
use super::notes::Notes;
use guardhost_core::change::{FileOp, FilePatch, NoPatch, NoPatchKind, PatchFormat, RepoPath};
use guardhost_core::error::Result;

/// The format of the first section; None without a section. A diff is git's when one of its sections is.
pub(super) fn format_of(files: &[(PatchFormat, FilePatch)]) -> std::result::Result<Option<PatchFormat>, NoPatch> {
    let Some((first, _)) = files.first() else { return Ok(None) };
    refuse_empty_search(files)?;
    drafts::refuse(files)?;
    let is_git = is_diff(*first) && files.iter().any(|(format, _)| *format == PatchFormat::GitDiff);
    Ok(Some(if is_git { PatchFormat::GitDiff } else { *first }))
}

/// The sections, each with its format where that is not the one of the patch.
pub(super) fn with_formats(files: Vec<(PatchFormat, FilePatch)>, of_patch: PatchFormat) -> Vec<FilePatch> {
    let differs = |format: PatchFormat| format != of_patch && !(is_diff(format) && is_diff(of_patch));
    files
        .into_iter()
        .map(|(format, file)| FilePatch { format: Some(format).filter(|format| differs(*format)), ..file })
        .collect()
}

fn is_diff(format: PatchFormat) -> bool {
    matches!(format, PatchFormat::GitDiff | PatchFormat::UnifiedDiff)
}

/// Refuses formats beside one another, unless no file has sections in two of them and every section changes a file that exists, or
/// says in its format that it makes a new one. What only looks like an edit is then none of them: an example in JSON, a file that
/// is shown in tags.
pub(super) fn check(
    files: &[FilePatch],
    of_patch: PatchFormat,
    known: &Surroundings,
    notes: &mut Notes,
) -> std::result::Result<(), NoPatch> {
    let Some(other) = files.iter().find(|file| file.format.is_some()) else { return Ok(()) };
    let mut formats: HashMap<&RepoPath, PatchFormat> = HashMap::new();
    for file in files {
        let format = file.format.unwrap_or(of_patch);
        let kind = if is_diff(format) { PatchFormat::UnifiedDiff } else { format };
        let is_alone = paths(file).all(|path| *formats.entry(path).or_insert(kind) == kind);
        let is_certain = is_alone && changes_what_is_there(file, format, known).unwrap_or(false);
        if !is_certain {
            let named = if file.format.is_some() { file } else { other };
            let (first, second) = (of_patch.label(), named.format.unwrap_or(of_patch).label());
            let why = format!("The reply mixes two formats ({first}, and {second} for {}). Use one.", named.path);
            return Err(NoPatch::new(NoPatchKind::Malformed, why));
        }
    }
    let (first, second) = (of_patch.label(), other.format.unwrap_or(of_patch).label());
    notes.add("two-formats", format_args!("{first} and {second}, for different files"));
    Ok(())
}

fn paths(file: &FilePatch) -> impl Iterator<Item = &RepoPath> {
    let from = match &file.op {
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => Some(from),
        FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => None,
    };
    [&file.path].into_iter().chain(from)
}

fn changes_what_is_there(file: &FilePatch, format: PatchFormat, known: &Surroundings) -> Result<bool> {
    match &file.op {
        FileOp::Modify(_) | FileOp::Delete(_) => known.exists(&file.path),
        FileOp::Rename { from, .. } | FileOp::Copy { from, .. } => known.exists(from),
        FileOp::Create(_) => Ok(is_diff(format) || matches!(format, PatchFormat::V4a | PatchFormat::WholeFile)),
        FileOp::Write(_) => Ok(false),
    }
}

/// A block with an empty SEARCH makes a new file, so no other block can search in it.
fn refuse_empty_search(files: &[(PatchFormat, FilePatch)]) -> std::result::Result<(), NoPatch> {
    let blocks = || files.iter().filter(|(format, _)| *format == PatchFormat::SearchReplace).map(|(_, file)| file);
    let is_new = |file: &&FilePatch| matches!(file.op, FileOp::Create(_));
    let new: HashSet<&RepoPath> = blocks().filter(is_new).map(|file| &file.path).collect();
    let Some(file) = blocks().find(|file| !is_new(file) && new.contains(&file.path)) else {
        return Ok(());
    };
    let message = format!(
        "A block for {} has an empty SEARCH, which makes a new file, and another block searches in it. If {} exists, SEARCH for \
         the line next to which the text belongs.",
        file.path, file.path
    );
    Err(NoPatch::new(NoPatchKind::Malformed, message))
}
