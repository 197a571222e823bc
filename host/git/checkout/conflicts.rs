//! Files that a change would overwrite, found before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use git2::{Index, Repository};

use super::filters;
use super::index::{INTENT_TO_ADD, IndexCopy, SKIP_WORKTREE, is_fresh};
use super::work_tree::{DiskState, FileStat, FoundFile, OnDisk, WorkTree, find};
use crate::attributes::{trusts_modes, unsupported_conversion};
use crate::tree_diff::Difference;
use crate::{Repo, failed};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

const CHANGED: &str = "changed in the work tree";

/// A file whose content is git's, but not its bytes.
const CONVERTED: &str = "changed in the work tree: line endings or `$Id$` are not what git would write";

/// What is at a touched path.
pub(super) struct SeenFile {
    pub stat: FileStat,
    pub file: OnDisk,
}

/// The files at touched paths as they were checked; None where there is none.
pub(super) type SeenFiles = HashMap<RepoPath, Option<SeenFile>>;

/// What a change is compared with, and where it goes.
pub(super) struct Scene<'a> {
    pub repo: &'a Repo,
    pub touched: &'a [Difference],
    /// The tree that the change was made for.
    pub base: Oid,
    /// A file that only the work tree has, and that the change is based on.
    pub adopted: Option<&'a RepoPath>,
}

/// What is at each touched path. The error names all paths that are in conflict. `temporary` gets a folder for files to compare.
pub(super) fn check(scene: &Scene<'_>, work_tree: &WorkTree, index: &IndexCopy, temporary: &Path) -> Result<SeenFiles> {
    let (index_mtime, index) = (index.mtime(), &index.index);
    let store = scene.repo.store();
    let (seen, mut blocked, converted) = {
        let handle = store.handle();
        let removed =
            scene.touched.iter().filter(|file| file.after.is_none()).map(|difference| &difference.path).collect();
        let trusts_modes = trusts_modes(&handle);
        let check = ConflictCheck {
            repo: &handle,
            index,
            index_mtime,
            work_tree,
            adopted: scene.adopted,
            removed,
            trusts_modes,
        };
        let (mut seen, mut blocked, mut converted) = (HashMap::new(), Vec::new(), Vec::new());
        for difference in scene.touched {
            let path = &difference.path;
            match check.path(difference)? {
                Ok(WritablePath { seen: found, as_git_writes }) => {
                    if let (false, Some(found)) = (as_git_writes, &found) {
                        converted.push((path, found.file));
                    }
                    seen.insert(path.clone(), found);
                }
                Err(why) => blocked.push((path, why)),
            }
        }
        (seen, blocked, converted)
    };
    if !converted.is_empty() {
        // Git would write these files from their blobs. Other bytes are known to the work tree alone.
        let paths: Vec<_> = converted.iter().map(|(path, _)| *path).collect();
        let compared = || Fault::new(FaultKind::Git, "cannot compare the files of the work tree with git's");
        let folder = temporary.join("compared");
        std::fs::create_dir(&folder).with_context(compared)?;
        filters::write(scene.repo, scene.base, &paths, index, &folder)?;
        let folder = Dir::open_ambient_dir(&folder, ambient_authority()).with_context(compared)?;
        for (path, file) in converted {
            let written = find(&folder, &path.to_os()).with_context(compared)?;
            if !matches!(written, FoundFile::File(written) if written.hash == file.hash) {
                blocked.push((path, CONVERTED));
            }
        }
    }
    refuse(blocked)?;
    Ok(seen)
}

/// Whether the index still holds what the change is based on. For an index that was changed after [`check`].
pub(super) fn check_index(scene: &Scene<'_>, index: &Index) -> Result<()> {
    let blocked = scene.touched.iter().filter_map(|difference| {
        Some((&difference.path, index_conflict(index, scene.adopted, &difference.path, difference.before)?))
    });
    refuse(blocked.collect())
}

fn refuse(blocked: Vec<(&RepoPath, &'static str)>) -> Result<()> {
    if blocked.is_empty() {
        return Ok(());
    }
    let files: Vec<_> = blocked.into_iter().map(|(path, why)| format!("{path} ({why})")).collect();
    Err(Fault::new(FaultKind::Git, format!("nothing was written; in the way of the change: {}", files.join(", ")))
        .hint("commit, stash or move these away, then try again")
        .into())
}

struct ConflictCheck<'a> {
    repo: &'a Repository,
    index: &'a Index,
    index_mtime: Option<(i64, i64)>,
    work_tree: &'a WorkTree,
    adopted: Option<&'a RepoPath>,
    /// Files that the change removes. Others may be created at these paths.
    removed: HashSet<&'a RepoPath>,
    trusts_modes: bool,
}

/// A path that can be written.
struct WritablePath {
    seen: Option<SeenFile>,
    /// False when the content is git's, and the bytes are still to be compared with what git would write.
    as_git_writes: bool,
}

impl WritablePath {
    const NOTHING: WritablePath = WritablePath { seen: None, as_git_writes: true };
}

impl ConflictCheck<'_> {
    /// What is at the path now, or why it cannot be written.
    fn path(&self, Difference { path, before, after }: &Difference) -> Result<Result<WritablePath, &'static str>> {
        if before.iter().chain(after).any(|entry| entry.mode == FileMode::Submodule) {
            return Ok(Err("a submodule"));
        }
        if let Some(why) = index_conflict(self.index, self.adopted, path, *before) {
            return Ok(Err(why));
        }
        if let Some(why) = unsupported_conversion(self.repo, path)? {
            return Ok(Err(why));
        }
        if let Some(why) = self.parent_conflict(path)? {
            return Ok(Err(why));
        }
        let state = self.work_tree.state(path)?;
        let Some(before) = before else {
            return Ok(self.create_conflict(path, state)?.map_or(Ok(WritablePath::NOTHING), Err));
        };
        let skipped =
            || self.index.get_path(&path.to_os(), 0).is_some_and(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
        match state {
            DiskState::Nothing if skipped() => Ok(Ok(WritablePath::NOTHING)),
            DiskState::Nothing => Ok(Err("deleted in the work tree")),
            DiskState::Link(stat) | DiskState::File(stat) => self.compare(path, *before, stat),
            DiskState::Directory | DiskState::Other => Ok(Err(CHANGED)),
        }
    }

    /// Whether the file is what the change is based on.
    fn compare(
        &self,
        path: &RepoPath,
        before: TreeEntry,
        stat: FileStat,
    ) -> Result<Result<WritablePath, &'static str>> {
        let found = self.work_tree.find(path).with_context(|| super::work_tree::cannot("read", path))?;
        let Some(file) = found.file() else { return Ok(Err(CHANGED)) };
        let same_mode = |executable| !self.trusts_modes || file.is_executable() == executable;
        let same_kind = match before.mode {
            FileMode::Symlink => file.is_link(),
            FileMode::File => !file.is_link() && same_mode(false),
            FileMode::Executable => !file.is_link() && same_mode(true),
            FileMode::Submodule => false,
        };
        let seen = Some(SeenFile { stat, file });
        if !same_kind {
            return Ok(Err(CHANGED));
        }
        if file.hash == before.oid {
            return Ok(Ok(WritablePath { seen, as_git_writes: true }));
        }
        if file.is_link() || self.clean(path)? != before.oid {
            return Ok(Err(CHANGED));
        }
        let entry = self.index.get_path(&path.to_os(), 0).filter(|entry| entry.id == before.oid);
        let fresh = entry.zip(self.index_mtime).is_some_and(|(entry, mtime)| is_fresh(&entry, &stat, mtime));
        Ok(Ok(WritablePath { seen, as_git_writes: fresh }))
    }

    /// The file's content, converted as `git add` does. The blob stays in memory.
    fn clean(&self, path: &RepoPath) -> Result<Oid> {
        let workdir = self.repo.workdir().unwrap_or(Path::new(""));
        let found = self.repo.blob_path(&workdir.join(path.to_os()));
        found.map_err(|cause| failed(format!("cannot read {path}"), cause))
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

    /// Why a new file cannot be created: there must be nothing, or a directory that holds only files that the change removes.
    fn create_conflict(&self, path: &RepoPath, state: DiskState) -> Result<Option<&'static str>> {
        Ok(Some(match state {
            DiskState::Nothing => return Ok(None),
            DiskState::Directory if self.work_tree.all_below(path, &|file| self.removed.contains(file))? => {
                return Ok(None);
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
        }))
    }
}

/// Why the index does not hold what the change is based on.
fn index_conflict(
    index: &Index,
    adopted: Option<&RepoPath>,
    path: &RepoPath,
    before: Option<TreeEntry>,
) -> Option<&'static str> {
    let os = path.to_os();
    if (1..=3).any(|stage| index.get_path(&os, stage).is_some()) {
        return Some("unmerged");
    }
    let staged = staged(index, path);
    if adopted == Some(path) && staged.is_none() {
        return None;
    }
    (staged != before.map(|entry| (entry.oid, entry.mode.raw()))).then_some("has staged changes")
}

/// The entry of a path. A file of `git add --intent-to-add` is not in the index yet.
pub(super) fn staged(index: &Index, path: &RepoPath) -> Option<(Oid, u32)> {
    let entry = index.get_path(&path.to_os(), 0).filter(|entry| entry.flags_extended & INTENT_TO_ADD == 0);
    entry.map(|entry| (entry.id, entry.mode))
}
