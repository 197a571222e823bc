//! Placing a candidate in index and work tree, as if its author had made and staged it there.
//!
//! What holds at any moment, also when the process is killed:
//!
//! - Nothing is written unless every file in the way is as git has it, so nothing that only the work tree knew can be lost.
//! - The index is locked from the first look to the last write, as git locks it (`index.lock`), and replaced last, in one step.
//! - Each file is replaced in one step: it is whole, the old one or the new one.
//!
//! An error on the way puts everything back. A kill in the middle leaves the lock, some of the files changed and perhaps
//! one named `.guardhost-*` beside them: remove the lock, then `git restore` and `git clean` as `git status` shows. What is
//! left inside the git directory (`index.guardhost-*`, `guardhost/.tmp*`) harms nothing.

mod check;
mod convert;
mod files;
mod lock;
mod standing;

use std::path::{Path, PathBuf};

use git2::Index;

use super::{Repo, Snapshot, diff, failed};
use files::Files;
use guardhost_core::change::{Candidate, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Fault, Kind, Result};
use lock::IndexLock;
pub(super) use standing::standing;

/// Afterwards `git status` shows exactly the change, as staged. All of it is placed or nothing.
///
/// Errors ([`Kind::Git`]): a bare repository; HEAD is not what the candidate stands on; files in the way that are changed,
/// staged, untracked or ignored (all are named); an index that another process holds, or that libgit2 cannot write.
pub fn place_in_worktree(repo: &Repo, candidate: &Candidate) -> Result<()> {
    let workdir = workdir(repo)?;
    if repo.head()?.tree != candidate.base_tree {
        return Err(Fault::new(Kind::Git, "HEAD is no longer what the change was made for")
            .hint("make the change again, on what HEAD is now")
            .into());
    }
    place(repo, workdir, repo.git_dir().join("index"), None, candidate)
}

/// The same for a change that was made for what lies in the index: what else is staged stays staged.
///
/// Errors as there; that HEAD moved is none, but files in the way are, when the index holds another version of them by now.
pub fn place_in_index(repo: &Repo, snapshot: &Snapshot, candidate: &Candidate) -> Result<()> {
    place(repo, workdir(repo)?, snapshot.index.clone(), snapshot.adopted.as_ref(), candidate)
}

/// Whether [`place_in_index`] could change the file at `path` now: to be asked before somebody is paid for the change.
pub fn check_place(repo: &Repo, snapshot: &Snapshot, path: &RepoPath) -> Result<()> {
    let workdir = workdir(repo)?;
    let before = repo.store().entry(snapshot.tree, path)?;
    let after = before.or(Some(TreeEntry { oid: Oid::ZERO_SHA1, mode: FileMode::File }));
    let index = Index::open(&snapshot.index).map_err(|cause| failed("cannot read the index", cause))?;
    let touched = [diff::Difference { path: path.clone(), before, after }];
    check::check(repo, &index, &Files::below(workdir)?, &touched, snapshot.adopted.as_ref()).map(drop)
}

fn workdir(repo: &Repo) -> Result<&Path> {
    let none = || Fault::new(Kind::Git, "a bare repository has no work tree to place a change in");
    repo.workdir().ok_or_else(|| none().into())
}

fn place(repo: &Repo, workdir: &Path, index: PathBuf, adopted: Option<&RepoPath>, candidate: &Candidate) -> Result<()> {
    let touched = diff::differences(&repo.store().handle(), candidate.base_tree, candidate.tree)?;
    let mut lock = IndexLock::take(index)?;
    let mut index = lock.read()?;
    let mut files = Files::below(workdir)?;
    let seen = check::check(repo, &index, &files, &touched, adopted)?;
    repo.on_disk(|disk| repo.store().keep(candidate.tree, disk))?;
    let contents = convert::contents(repo, candidate.tree, &touched)?;
    let placed = files.place(&touched, &seen, contents).and_then(|placed| {
        lock::stage(&mut index, &touched, &placed)?;
        lock.replace(&mut index)
    });
    placed.map_err(|cause| files.put_back(cause))
}
