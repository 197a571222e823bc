//! One section for each file: what a reply says of one file in several places is put together.

use super::Notes;
use guardhost_core::change::{FileOp, FilePatch, Hunk, RepoPath, Sections};

/// Joins edits of the same file, drops what is said twice in the same words, and notes hunks out of order. What cannot be
/// joined stays apart: `sanitize` refuses sections that conflict.
pub(super) fn merge(files: Vec<FilePatch>, blocks: bool, notes: &mut Notes) -> (Vec<FilePatch>, Sections) {
    let mut merged: Vec<FilePatch> = Vec::new();
    let mut sections = Sections::Single;
    for mut file in files {
        undot(&mut file.path, notes);
        if let FileOp::Rename { from, .. } | FileOp::Copy { from, .. } = &mut file.op {
            undot(from, notes);
        }
        match merged.iter_mut().find(|earlier| earlier.path == file.path) {
            Some(earlier) if *earlier == file && hunks(&mut file).is_none_or(|hunks| !hunks.is_empty()) => {
                notes.add("repeated-section", format_args!("{} is given twice in the same words", file.path));
            }
            Some(earlier) => match join(earlier, file) {
                Ok(()) if blocks => {}
                Ok(()) => {
                    sections = Sections::Merged;
                    notes.add("several-sections", format_args!("{} has several sections", earlier.path));
                }
                Err(file) => merged.push(file),
            },
            None => merged.push(file),
        }
    }
    for file in &mut merged {
        let path = file.path.clone();
        if let Some(hunks) = hunks(file) {
            once(hunks, &path, notes);
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

/// Adds edits of the same file to what an earlier section says.
fn join(earlier: &mut FilePatch, mut later: FilePatch) -> Result<(), FilePatch> {
    let FileOp::Modify(more) = &mut later.op else { return Err(later) };
    match hunks(earlier) {
        Some(hunks) => hunks.append(more),
        None => return Err(later),
    }
    earlier.mode = later.mode.or(earlier.mode);
    earlier.claimed_blob = earlier.claimed_blob.take().or(later.claimed_blob);
    Ok(())
}

fn once(hunks: &mut Vec<Hunk>, path: &RepoPath, notes: &mut Notes) {
    let mut seen: Vec<Hunk> = Vec::with_capacity(hunks.len());
    for hunk in hunks.drain(..) {
        if seen.contains(&hunk) {
            notes.add("repeated-hunk", format_args!("{path}: a hunk is given twice"));
        } else {
            seen.push(hunk);
        }
    }
    *hunks = seen;
}

/// `./src/a` is what the model's shell calls `src/a`.
fn undot(path: &mut RepoPath, notes: &mut Notes) {
    if let Some(rest) = path.as_bytes().strip_prefix(b"./").filter(|rest| !rest.is_empty() && !rest.starts_with(b"/")) {
        *path = RepoPath::new(rest);
        notes.add("dot-slash", format_args!("{path}: written with ./ before it"));
    }
}
