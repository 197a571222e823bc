//! One section for each file: several sections of a reply for one file are joined.

use std::collections::HashMap;

use super::Notes;
use guardhost_core::change::{FileOp, FilePatch, Hunk, PatchFormat, RepoPath, Sections};
use guardhost_core::stop::Watch;

/// Joins edits of the same file, drops sections given twice in the same words, and notes hunks out of order. In a format that gives
/// every edit its own section, joining them is no repair. Sections that cannot be joined stay apart; `sanitize` refuses those that
/// conflict. No file has sections in two formats.
pub(super) fn merge(
    files: Vec<FilePatch>,
    of_patch: PatchFormat,
    notes: &mut Notes,
    watch: &Watch,
) -> (Vec<FilePatch>, Sections) {
    let mut merged: Vec<FilePatch> = Vec::new();
    // Of each path, the first section that is kept.
    let mut first: HashMap<RepoPath, usize> = HashMap::new();
    let mut sections = Sections::Single;
    for mut file in files {
        watch.visit();
        let blocks = file.format.unwrap_or(of_patch).is_sequence();
        strip_dot_slash(&mut file.path, notes);
        if let FileOp::Rename { from, .. } | FileOp::Copy { from, .. } = &mut file.op {
            strip_dot_slash(from, notes);
        }
        let known = first.get(&file.path).copied();
        match known.map(|at| &mut merged[at]) {
            // Equal blocks may be meant for equal places; `apply` decides that.
            Some(earlier) if *earlier == file && hunks(&mut file).is_none_or(|hunks| !blocks && !hunks.is_empty()) => {
                notes.add("repeated-section", format_args!("{} is given twice in the same words", file.path));
            }
            Some(earlier) => match join(earlier, file, blocks) {
                Ok(()) if blocks => {}
                Ok(()) => {
                    sections = Sections::Merged;
                    notes.add("several-sections", format_args!("{} has several sections", earlier.path));
                }
                Err(file) => merged.push(file),
            },
            None => {
                first.insert(file.path.clone(), merged.len());
                merged.push(file);
            }
        }
    }
    for file in &mut merged {
        let path = file.path.clone();
        if let Some(hunks) = hunks(file) {
            let starts: Vec<u32> = hunks.iter().filter_map(|hunk| hunk.old_start).collect();
            if !starts.is_sorted() {
                notes.add("hunk-order", format_args!("{path}: the hunks are not in the order of the file"));
            }
        }
    }
    (merged, sections)
}

fn hunks(file: &mut FilePatch) -> Option<&mut Vec<Hunk>> {
    match &mut file.op {
        FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } => Some(hunks),
        FileOp::Create(_) | FileOp::Write(_) | FileOp::Delete(_) => None,
    }
}

/// Adds edits to an earlier section of the same file; gives the later section back when that is impossible.
fn join(earlier: &mut FilePatch, mut later: FilePatch, blocks: bool) -> Result<(), FilePatch> {
    let FileOp::Modify(more) = &mut later.op else { return Err(later) };
    match hunks(earlier) {
        Some(hunks) => {
            let step = hunks.last().map_or(0, |hunk| hunk.step + u32::from(!blocks));
            more.iter_mut().for_each(|hunk| hunk.step = step);
            hunks.append(more);
        }
        None => return Err(later),
    }
    earlier.mode = later.mode.or(earlier.mode);
    earlier.claimed_blob = earlier.claimed_blob.take().or(later.claimed_blob);
    Ok(())
}

/// Models write `./src/a` for `src/a`, as shells do.
fn strip_dot_slash(path: &mut RepoPath, notes: &mut Notes) {
    if let Some(rest) = path.as_bytes().strip_prefix(b"./").filter(|rest| !rest.is_empty() && !rest.starts_with(b"/")) {
        *path = RepoPath::new(rest);
        notes.add("dot-slash", format_args!("{path}: written with ./ before it"));
    }
}
