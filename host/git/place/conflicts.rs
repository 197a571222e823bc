//! Files that a change would overwrite, found before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{Index, ObjectType, Repository};

use super::work_tree::{DiskState, FileStat, WorkTree};
use crate::attributes::{trusts_modes, unsupported_conversion};
use crate::tree_diff::Difference;
use crate::{Repo, failed};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};

/// Extended flag of an index entry: the file is left out of a sparse work tree.
const SKIP_WORKTREE: u16 = 1 << 14;

/// Extended flag of an index entry: only the path was added, not the content.
const INTENT_TO_ADD: u16 = 1 << 13;

/// What is at each touched path; None for nothing. The error names all paths that are in conflict.
pub(super) fn check(
    repo: &Repo,
    index: &Index,
    work_tree: &WorkTree,
    touched: &[Difference],
    adopted: Option<&RepoPath>,
) -> Result<HashMap<RepoPath, Option<FileStat>>> {
    let store = repo.store();
    let handle = store.handle();
    let removed =
        touched.iter().filter(|difference| difference.after.is_none()).map(|difference| &difference.path).collect();
    let check =
        ConflictCheck { repo: &handle, index, work_tree, removed, adopted, trusts_modes: trusts_modes(&handle) };
    let (mut seen, mut blocked) = (HashMap::new(), Vec::new());
    for difference in touched {
        match check.path(difference)? {
            Ok(stat) => drop(seen.insert(difference.path.clone(), stat)),
            Err(why) => blocked.push(format!("{} ({why})", difference.path)),
        }
    }
    if blocked.is_empty() {
        return Ok(seen);
    }
    Err(Fault::new(Kind::Git, format!("nothing was written; in the way of the change: {}", blocked.join(", ")))
        .hint("commit, stash or move these away, then try again")
        .into())
}

struct ConflictCheck<'a> {
    repo: &'a Repository,
    index: &'a Index,
    work_tree: &'a WorkTree,
    /// Files that the change removes. Others may be created at these paths.
    removed: HashSet<&'a RepoPath>,
    /// A file that only the work tree has, and that the change is based on.
    adopted: Option<&'a RepoPath>,
    trusts_modes: bool,
}

impl ConflictCheck<'_> {
    /// What is at the path now, or why it cannot be written.
    fn path(&self, Difference { path, before, after }: &Difference) -> Result<Result<Option<FileStat>, &'static str>> {
        if before.iter().chain(after).any(|entry| entry.mode == FileMode::Submodule) {
            return Ok(Err("a submodule"));
        }
        if let Some(why) = self.index_conflict(path, *before) {
            return Ok(Err(why));
        }
        if let Some(why) = unsupported_conversion(self.repo, path)? {
            return Ok(Err(why));
        }
        if let Some(why) = self.parent_conflict(path)? {
            return Ok(Err(why));
        }
        let state = self.work_tree.state(path)?;
        let Some(before) = before else { return self.can_create(path, state) };
        let skipped =
            || self.index.get_path(&path.to_os(), 0).is_some_and(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
        let (unchanged, stat) = match state {
            DiskState::Nothing if skipped() => (true, None),
            DiskState::Nothing => return Ok(Err("deleted in the work tree")),
            DiskState::Link(target, stat) => {
                (before.mode == FileMode::Symlink && hash(&target)? == before.oid, Some(stat))
            }
            DiskState::File(stat) => (self.is_unchanged(path, *before, stat.mode & 0o100 != 0)?, Some(stat)),
            DiskState::Directory | DiskState::Other => (false, None),
        };
        Ok(if unchanged { Ok(stat) } else { Err("changed in the work tree") })
    }

    /// Why the index does not hold what the change is based on.
    fn index_conflict(&self, path: &RepoPath, before: Option<TreeEntry>) -> Option<&'static str> {
        let os = path.to_os();
        if (1..=3).any(|stage| self.index.get_path(&os, stage).is_some()) {
            return Some("unmerged");
        }
        // A file of `git add --intent-to-add` is not in the index yet.
        let staged = self.index.get_path(&os, 0).filter(|entry| entry.flags_extended & INTENT_TO_ADD == 0);
        let staged = staged.map(|entry| (entry.id, entry.mode));
        if self.adopted == Some(path) && staged.is_none() {
            return None;
        }
        (staged != before.map(|entry| (entry.oid, entry.mode.raw()))).then_some("has staged changes")
    }

    /// Why the path cannot be reached. Each parent must be a directory of this repository, be missing, or be a file that the change
    /// removes.
    fn parent_conflict(&self, path: &RepoPath) -> Result<Option<&'static str>> {
        let bytes = path.as_bytes();
        for (slash, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let parent = RepoPath::new(&bytes[..slash]);
            match self.work_tree.state(&parent)? {
                DiskState::Nothing => return Ok(None),
                DiskState::Directory => {
                    let nested = RepoPath::new([parent.as_bytes(), b"/.git"].concat());
                    if !matches!(self.work_tree.state(&nested)?, DiskState::Nothing) {
                        return Ok(Some("inside another repository"));
                    }
                }
                _ if self.removed.contains(&parent) => return Ok(None),
                DiskState::Link(..) => return Ok(Some("below a symbolic link")),
                _ => return Ok(Some("below a file that is not part of the change")),
            }
        }
        Ok(None)
    }

    /// Where a new file is created there must be nothing, or a directory that holds only files that the change removes.
    fn can_create(&self, path: &RepoPath, state: DiskState) -> Result<Result<Option<FileStat>, &'static str>> {
        let why = match state {
            DiskState::Nothing => return Ok(Ok(None)),
            DiskState::Directory if self.work_tree.all_below(path, &|file| self.removed.contains(file))? => {
                return Ok(Ok(None));
            }
            DiskState::Directory => "a directory with other files in it",
            _ if self
                .repo
                .is_path_ignored(path.to_os())
                .map_err(|cause| failed("cannot read the ignore rules", cause))? =>
            {
                "an ignored file"
            }
            _ => "an untracked file",
        };
        Ok(Err(why))
    }

    fn is_unchanged(&self, path: &RepoPath, before: TreeEntry, executable: bool) -> Result<bool> {
        let expected = match before.mode {
            FileMode::File => false,
            FileMode::Executable => true,
            FileMode::Symlink | FileMode::Submodule => return Ok(false),
        };
        if self.trusts_modes && executable != expected {
            return Ok(false);
        }
        // Converted as `git add` does. The blob stays in memory.
        let workdir = self.repo.workdir().unwrap_or(Path::new(""));
        let found = self
            .repo
            .blob_path(&workdir.join(path.to_os()))
            .map_err(|cause| failed(format!("cannot read {path}"), cause))?;
        Ok(found == before.oid)
    }
}

fn hash(bytes: &[u8]) -> Result<Oid> {
    Oid::hash_object(ObjectType::Blob, bytes).map_err(|cause| failed("cannot hash a link", cause))
}
