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

use super::{Repo, diff};
use crate::change::Candidate;
use crate::error::{Fault, Kind, Result};
use files::Files;
use lock::IndexLock;

/// Afterwards `git status` shows exactly the change, as staged. All of it is placed or nothing.
///
/// Errors ([`Kind::Git`]): a bare repository; HEAD is not what the candidate stands on; files in the way that are changed,
/// staged, untracked or ignored (all are named); an index that another process holds, or that libgit2 cannot write.
pub fn place_in_worktree(repo: &Repo, candidate: &Candidate) -> Result<()> {
    let Some(workdir) = repo.workdir() else {
        return Err(Fault::new(Kind::Git, "a bare repository has no work tree to place a change in").into());
    };
    if repo.head()?.tree != candidate.base_tree {
        return Err(Fault::new(Kind::Git, "HEAD is no longer what the change was made for")
            .hint("make the change again, on what HEAD is now")
            .into());
    }
    let touched = diff::differences(&repo.store().handle(), candidate.base_tree, candidate.tree)?;
    let mut lock = IndexLock::take(repo.git_dir())?;
    let mut index = lock.read()?;
    let mut files = Files::below(workdir)?;
    let seen = check::check(repo, &index, &files, &touched)?;
    repo.on_disk(|disk| repo.store().keep(candidate.tree, disk))?;
    let contents = convert::contents(repo, candidate.tree, &touched)?;
    let placed = files.place(&touched, &seen, contents).and_then(|placed| {
        lock::stage(&mut index, &touched, &placed)?;
        lock.replace(&mut index)
    });
    placed.map_err(|cause| files.put_back(cause))
}
