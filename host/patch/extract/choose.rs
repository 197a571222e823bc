//! Of all that the scan found: the sections of the patch, or why there are none.

use super::account::Surroundings;
use super::lines::{Lines, malformed, quote};
use super::notes::Notes;
use super::whole_file::{self, Block};
use super::{seen, several};
use crate::formats;
use guardhost_core::change::{FilePatch, NoPatch, NoPatchKind, PatchFormat, RepoPath};

const NO_CHANGE: &str = "NO_CHANGES_NEEDED";

/// What was chosen, and the blocks that it is made of, by their numbers.
pub(super) struct Chosen {
    pub format: PatchFormat,
    pub files: Vec<FilePatch>,
    pub blocks: Vec<usize>,
}

pub(super) fn choose(
    mut files: Vec<(PatchFormat, FilePatch)>,
    blocks: &[Block],
    lines: &Lines,
    hints: &[RepoPath],
    known: &Surroundings,
    notes: &mut Notes,
) -> Result<Chosen, NoPatch> {
    let has_sentinel = lines.iter().any(|line| is_sentinel(line));
    if let Some(format) = several::format_of(&files)? {
        let is_free = |path: &RepoPath| {
            known.exists(path).is_ok_and(|exists| !exists) && files.iter().all(|(_, file)| file.path != *path)
        };
        let (new, made): (Vec<usize>, Vec<FilePatch>) = whole_file::new_files(blocks, is_free).into_iter().unzip();
        files.extend(made.into_iter().map(|file| (PatchFormat::WholeFile, file)));
        let files = several::with_formats(files, format);
        if has_sentinel {
            notes.add("sentinel", format_args!("the reply also has {NO_CHANGE}; the patch counts"));
        }
        return Ok(Chosen { format, files, blocks: new });
    }
    let only_named = |line: &[u8]| match known.mentioned(line).ok()?.as_slice() {
        [only] => known.exists(only).ok()?.then(|| only.clone()),
        _ => None,
    };
    // The only file that the words above a block name, if the words that introduce it name what it defines.
    let defined = |block: &Block| {
        let mut named: Vec<RepoPath> = Vec::new();
        for line in &lines[..block.at] {
            named.extend(known.mentioned(line).ok()?);
        }
        named.dedup();
        let [only] = named.as_slice() else { return None };
        known.exists(only).ok()?.then(|| only.clone()).filter(|_| block.is_introduced_by_its_name())
    };
    match whole_file::files(blocks, hints, only_named, defined)? {
        Some(chosen) => {
            let (blocks, files) = chosen.into_iter().unzip();
            Ok(Chosen { format: PatchFormat::WholeFile, files, blocks })
        }
        None if has_sentinel => Err(NoPatch::new(NoPatchKind::NoChange, "Nothing needs to change.")),
        None => Err(leftover(lines).or_else(|| other_form(lines)).unwrap_or_else(no_patch)),
    }
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
