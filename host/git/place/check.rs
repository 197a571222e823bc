//! What stands in the way of a change, before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use git2::{Index, ObjectType, Repository};

use super::files::{Files, Stamp, Standing};
use crate::attributes::{converted, trusts_modes};
use crate::diff::Difference;
use crate::{Repo, failed};
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};

/// Extended flag of an index entry: the file is left out of a sparse work tree.
const SKIP_WORKTREE: u16 = 1 << 14;

/// Extended flag of an index entry: the file is announced, its content is not staged.
const INTENT_TO_ADD: u16 = 1 << 13;

/// What stands at each touched path; None where nothing does. Every path is looked at before any is refused.
pub(super) fn check(
    repo: &Repo,
    index: &Index,
    files: &Files,
    touched: &[Difference],
    adopted: Option<&RepoPath>,
) -> Result<HashMap<RepoPath, Option<Stamp>>> {
    let store = repo.store();
    let handle = store.handle();
    let going =
        touched.iter().filter(|difference| difference.after.is_none()).map(|difference| &difference.path).collect();
    let check = Check { repo: &handle, index, files, going, adopted, trusts_modes: trusts_modes(&handle) };
    let (mut seen, mut blocked) = (HashMap::new(), Vec::new());
    for difference in touched {
        match check.path(difference)? {
            Ok(stamp) => drop(seen.insert(difference.path.clone(), stamp)),
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

struct Check<'a> {
    repo: &'a Repository,
    index: &'a Index,
    files: &'a Files,
    /// Files that the change removes: another may take their place.
    going: HashSet<&'a RepoPath>,
    /// What the work tree alone holds, and the change was made for.
    adopted: Option<&'a RepoPath>,
    trusts_modes: bool,
}

impl Check<'_> {
    /// Why this path cannot be written, or what stands there now.
    fn path(&self, Difference { path, before, after }: &Difference) -> Result<Result<Option<Stamp>, &'static str>> {
        if before.iter().chain(after).any(|entry| entry.mode == FileMode::Submodule) {
            return Ok(Err("a submodule"));
        }
        if let Some(why) = self.staged(path, *before) {
            return Ok(Err(why));
        }
        if let Some(why) = converted(self.repo, path)? {
            return Ok(Err(why));
        }
        if let Some(why) = self.parents(path)? {
            return Ok(Err(why));
        }
        let standing = self.files.look(path)?;
        let Some(before) = before else { return self.free(path, standing) };
        let skipped =
            || self.index.get_path(&path.to_os(), 0).is_some_and(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
        let (unchanged, stamp) = match standing {
            Standing::Nothing if skipped() => (true, None),
            Standing::Nothing => return Ok(Err("deleted in the work tree")),
            Standing::Link(target, stamp) => {
                (before.mode == FileMode::Symlink && hash(&target)? == before.oid, Some(stamp))
            }
            Standing::File(stamp) => (self.unchanged(path, *before, stamp.mode & 0o100 != 0)?, Some(stamp)),
            Standing::Directory | Standing::Other => (false, None),
        };
        Ok(if unchanged { Ok(stamp) } else { Err("changed in the work tree") })
    }

    /// The index must hold what the change was made for.
    fn staged(&self, path: &RepoPath, before: Option<TreeEntry>) -> Option<&'static str> {
        let os = path.to_os();
        if (1..=3).any(|stage| self.index.get_path(&os, stage).is_some()) {
            return Some("unmerged");
        }
        // What is only announced (`git add --intent-to-add`) is not in the index yet.
        let staged = self.index.get_path(&os, 0).filter(|entry| entry.flags_extended & INTENT_TO_ADD == 0);
        let staged = staged.map(|entry| (entry.id, entry.mode));
        if self.adopted == Some(path) && staged.is_none() {
            return None;
        }
        (staged != before.map(|entry| (entry.oid, entry.mode.raw()))).then_some("has staged changes")
    }

    /// Each directory above must be one, and of this repository; or be missing; or be a file that the change removes.
    fn parents(&self, path: &RepoPath) -> Result<Option<&'static str>> {
        let bytes = path.as_bytes();
        for (slash, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let parent = RepoPath::new(&bytes[..slash]);
            match self.files.look(&parent)? {
                Standing::Nothing => return Ok(None),
                Standing::Directory => {
                    let nested = RepoPath::new([parent.as_bytes(), b"/.git"].concat());
                    if !matches!(self.files.look(&nested)?, Standing::Nothing) {
                        return Ok(Some("inside another repository"));
                    }
                }
                _ if self.going.contains(&parent) => return Ok(None),
                Standing::Link(..) => return Ok(Some("below a symbolic link")),
                _ => return Ok(Some("below a file that is not part of the change")),
            }
        }
        Ok(None)
    }

    /// Nothing may stand where a new file comes, except a directory that holds nothing but what the change removes.
    fn free(&self, path: &RepoPath, standing: Standing) -> Result<Result<Option<Stamp>, &'static str>> {
        let why = match standing {
            Standing::Nothing => return Ok(Ok(None)),
            Standing::Directory if self.files.all_below(path, &|file| self.going.contains(file))? => {
                return Ok(Ok(None));
            }
            Standing::Directory => "a directory with other files in it",
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

    fn unchanged(&self, path: &RepoPath, before: TreeEntry, executable: bool) -> Result<bool> {
        let expected = match before.mode {
            FileMode::File => false,
            FileMode::Executable => true,
            FileMode::Symlink | FileMode::Submodule => return Ok(false),
        };
        if self.trusts_modes && executable != expected {
            return Ok(false);
        }
        // Through the conversion that `git add` does; the blob goes no further than memory.
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
