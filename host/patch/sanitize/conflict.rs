//! Sections that contradict each other. `extract` joins what can be joined, so two sections for one path cannot both apply.

use std::collections::{HashMap, HashSet};

use super::names::folded;
use super::parents;
use guardhost_core::change::{FileMode, FileOp, FilePatch, Refused, RefusedKind, RepoPath};

pub(super) fn check(files: &[FilePatch]) -> Result<(), Refused> {
    let conflict = |path: &RepoPath, why: &str| Err(Refused::at(RefusedKind::Conflicting, path, why));
    let mut made: HashMap<&RepoPath, &FileOp> = HashMap::new();
    let mut whole: HashSet<&RepoPath> = HashSet::new();
    let mut gone: HashMap<&RepoPath, &FileOp> = HashMap::new();
    let mut new: HashMap<String, &RepoPath> = HashMap::new();
    for file in files {
        // A file that is written whole may be edited below; a link may not, since its target was checked as it was written.
        let is_file = !matches!(file.mode, Some(FileMode::Symlink | FileMode::Submodule));
        match &file.op {
            FileOp::Modify(_) if is_file && whole.contains(&file.path) => continue,
            FileOp::Write(_) | FileOp::Create(_) if is_file => {
                whole.insert(&file.path);
            }
            _ => {}
        }
        if made.insert(&file.path, &file.op).is_some() {
            return conflict(&file.path, "two sections of the patch contradict each other; send one for each file");
        }
        let leaves = match &file.op {
            FileOp::Rename { from, .. } => Some(from),
            FileOp::Delete(_) => Some(&file.path),
            FileOp::Modify(_) | FileOp::Create(_) | FileOp::Write(_) | FileOp::Copy { .. } => None,
        };
        if leaves.is_some_and(|path| gone.insert(path, &file.op).is_some()) {
            return conflict(&file.path, "the file that it comes from goes twice");
        }
        if matches!(file.op, FileOp::Create(_) | FileOp::Rename { .. } | FileOp::Copy { .. })
            && new.insert(folded(file.path.as_bytes()), &file.path).is_some()
        {
            return conflict(&file.path, "another new file differs from it only in letter case");
        }
    }
    for file in files {
        if let FileOp::Rename { from, .. } = &file.op
            && matches!(made.get(from), Some(FileOp::Modify(_) | FileOp::Delete(_)))
        {
            return conflict(from, "it is renamed by one section and changed by another");
        }
        if matches!(file.op, FileOp::Delete(_)) {
            continue;
        }
        for parent in parents(&file.path) {
            if made.get(&parent).is_some_and(|op| !matches!(op, FileOp::Delete(_))) {
                return conflict(&file.path, "a folder above it is a file in the same patch");
            }
        }
    }
    Ok(())
}
