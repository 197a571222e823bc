//! Places a candidate in the index and the work tree, as if it had been edited and staged there.
//!
//! What holds at any moment, also when the process is killed:
//!
//! - Nothing is written unless every file at a touched path is as git has it, so content that only the work tree has is never lost.
//! - The index is locked from the first read to the last write, as git locks it (`index.lock`), and replaced last, in one step.
//! - Each file is replaced in one step: it is whole, the old one or the new one.
//!
//! An error in the middle undoes everything. A kill in the middle leaves the lock, some of the files changed and perhaps
//! one named `.guardhost-*` beside them: remove the lock, then `git restore` and `git clean` as `git status` shows. Files
//! left inside the git directory (`index.guardhost-*`, `guardhost/.tmp*`) are harmless.

mod checkout;
mod conflicts;
mod lock;
mod transaction;
mod untracked;
mod work_tree;

use std::path::{Path, PathBuf};

use git2::Index;

use super::{Repo, Snapshot, failed, tree_diff};
use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};
use lock::IndexLock;
use transaction::Transaction;
pub(super) use untracked::untracked_file;
use work_tree::WorkTree;

/// Places the whole candidate or nothing. Afterwards `git status` shows exactly the change, as staged.
///
/// Errors ([`Kind::Git`]): a bare repository; HEAD is not the base of the candidate; files at touched paths that are changed,
/// staged, untracked or ignored (all are named); an index that another process has locked, or that libgit2 cannot write.
pub fn place_in_worktree(repo: &Repo, candidate: &Candidate) -> Result<()> {
    let workdir = workdir(repo)?;
    if repo.head()?.tree != candidate.base_tree {
        return Err(Fault::new(Kind::Git, "HEAD is no longer what the change was made for")
            .hint("make the change again, on what HEAD is now")
            .into());
    }
    place(repo, workdir, repo.git_dir().join("index"), None, candidate)
}

/// The same for a change that is based on the content of the index: what else is staged stays staged.
///
/// Errors as of [`place_in_worktree`], but HEAD may have moved. Files of which the index holds another version by now are an error.
pub fn place_in_index(repo: &Repo, snapshot: &Snapshot, candidate: &Candidate) -> Result<()> {
    place(repo, workdir(repo)?, snapshot.index.clone(), snapshot.adopted.as_ref(), candidate)
}

/// Whether [`place_in_index`] could change the file at `path` now. Call it before a provider is paid for the change.
pub fn check_place(repo: &Repo, snapshot: &Snapshot, path: &RepoPath) -> Result<()> {
    let workdir = workdir(repo)?;
    let before = repo.store().entry(snapshot.tree, path)?;
    let after = before.or(Some(TreeEntry { oid: Oid::ZERO_SHA1, mode: FileMode::File }));
    let index = Index::open(&snapshot.index).map_err(|cause| failed("cannot read the index", cause))?;
    let touched = [tree_diff::Difference { path: path.clone(), before, after }];
    conflicts::check(repo, &index, &WorkTree::open(workdir)?, &touched, snapshot.adopted.as_ref()).map(drop)
}

fn workdir(repo: &Repo) -> Result<&Path> {
    let none = || Fault::new(Kind::Git, "a bare repository has no work tree to place a change in");
    repo.workdir().ok_or_else(|| none().into())
}

fn place(repo: &Repo, workdir: &Path, index: PathBuf, adopted: Option<&RepoPath>, candidate: &Candidate) -> Result<()> {
    let touched = tree_diff::differences(&repo.store().handle(), candidate.base_tree, candidate.tree)?;
    let mut lock = IndexLock::take(index)?;
    let mut index = lock.read()?;
    let mut transaction = Transaction::begin(workdir)?;
    let seen = conflicts::check(repo, &index, transaction.work_tree(), &touched, adopted)?;
    repo.on_disk(|disk| repo.store().write_to_disk(candidate.tree, disk))?;
    let contents = checkout::contents(repo, candidate.tree, &touched)?;
    let placed = transaction.apply(&touched, &seen, contents).and_then(|placed| {
        lock::stage(&mut index, &touched, &placed)?;
        lock.replace(&mut index)
    });
    placed.map_err(|cause| transaction.roll_back(cause))
}
