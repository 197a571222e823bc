//! Of all that the scan found: one format and its sections, or why there are none.

use super::lines::{malformed, quote};
use super::notes::Notes;
use super::scan::Found;
use super::whole_file;
use crate::formats;
use guardhost_core::change::{FilePatch, NoPatch, NoPatchKind, PatchFormat, RepoPath};

const NO_CHANGE: &str = "NO_CHANGES_NEEDED";

pub(super) fn choose(
    found: Found,
    lines: &[&[u8]],
    hints: &[RepoPath],
    notes: &mut Notes,
) -> Result<(PatchFormat, Vec<FilePatch>), NoPatch> {
    let Found { files, blocks, .. } = found;
    let has_sentinel = lines.iter().any(|line| is_sentinel(line));
    if let Some(format) = one_format(&files)? {
        let files: Vec<FilePatch> = files.into_iter().map(|(_, file)| file).collect();
        for copy in whole_file::beside(&blocks, &files)? {
            notes.add("extra-copy", format_args!("the reply also has a whole copy of {copy}; the patch counts"));
        }
        if has_sentinel {
            notes.add("sentinel", format_args!("the reply also has {NO_CHANGE}; the patch counts"));
        }
        return Ok((format, files));
    }
    match whole_file::files(blocks, hints)? {
        Some(files) => Ok((PatchFormat::WholeFile, files)),
        None if has_sentinel => {
            Err(NoPatch { kind: NoPatchKind::NoChange, message: "Nothing needs to change.".into() })
        }
        None => Err(leftover(lines).unwrap_or_else(no_patch)),
    }
}

/// The format of all sections; None without a section. A diff is git's when one of its sections is.
fn one_format(files: &[(PatchFormat, FilePatch)]) -> Result<Option<PatchFormat>, NoPatch> {
    let Some((first, _)) = files.first() else { return Ok(None) };
    let parser = |format: &PatchFormat| formats::row(*format).parser;
    if let Some((other, file)) = files.iter().find(|(format, _)| parser(format) != parser(first)) {
        let why = format!("The reply mixes two formats ({first:?}, and {other:?} for {}). Use one.", file.path);
        return Err(NoPatch { kind: NoPatchKind::Malformed, message: why });
    }
    let is_git = files.iter().any(|(format, _)| *format == PatchFormat::GitDiff);
    Ok(Some(if is_git { PatchFormat::GitDiff } else { *first }))
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

fn no_patch() -> NoPatch {
    let message = format!(
        "There is no patch in the reply. Send a unified diff, or answer {NO_CHANGE} alone on a line if nothing needs to change."
    );
    NoPatch { kind: NoPatchKind::Prose, message }
}
