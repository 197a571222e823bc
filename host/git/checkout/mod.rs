//! Applies a candidate to the index and the work tree, as if it had been edited and staged there: whole or not at all.
//!
//! 1. One host changes files of a work tree at a time (`lock`). It first finishes or undoes what a killed host left (`recover`, `undo`).
//! 2. Every file at a touched path must be as git has it, so that content that only the work tree has is never lost (`conflicts`).
//! 3. The new files are written into slots in the git directory, and the journal names them; all is synced (`prepare`, `journal`).
//! 4. The index is locked as git locks it (`index.lock`); each file is exchanged with its slot in one step, so that it is whole, the
//!    old one or the new one, and the slot keeps the old one (`index`, `transaction`, `swap`).
//! 5. The new index is synced and replaces the old one. That is when the change has been made.
//!
//! An error in the middle undoes everything. A kill in the middle leaves the journal, from which the next host that changes files,
//! or `host doctor`, goes back to before the change. Until step 4 there is nothing to undo.

mod conflicts;
mod filters;
mod index;
mod journal;
mod lock;
mod prepare;
mod recover;
mod swap;
mod transaction;
mod undo;
mod untracked;
mod work_tree;

use std::path::{Path, PathBuf};

use super::{Repo, Snapshot, tree_diff};
use crate::sync::sync_parent;
use conflicts::{Scene, SeenFiles};
use guardhost_core::change::{Candidate, DiskStep, FileMode, Objects, Observer, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use index::{IndexCopy, IndexLock};
use journal::Journal;
pub use lock::WorkTreeLock;
pub(super) use lock::is_staging_name;
use prepare::CheckedChange;
pub use recover::recover;
use transaction::Transaction;
use undo::Undo;
pub(super) use untracked::untracked_file;

/// Applies the whole candidate or nothing. Afterwards `git status` shows exactly the change, as staged.
///
/// Errors ([`FaultKind::Git`]): a bare repository; HEAD is not the base of the candidate; files at touched paths that are changed,
/// staged, untracked or ignored (all are named); an index that another process has locked, or that libgit2 cannot write.
pub fn apply_to_worktree(repo: &Repo, candidate: &Candidate, observer: &dyn Observer) -> Result<()> {
    workdir(repo)?;
    if repo.head()?.tree != candidate.base_tree {
        return Err(Fault::new(FaultKind::Git, "HEAD is no longer what the change was made for")
            .hint("make the change again, on what HEAD is now")
            .into());
    }
    apply(repo, repo.index_path(None)?, None, candidate, observer)
}

/// The same for a change that is based on the content of the index: what else is staged stays staged.
///
/// Errors as of [`apply_to_worktree`], but HEAD may have moved. Files of which the index holds another version by now are an error.
pub fn apply_to_index(repo: &Repo, snapshot: &Snapshot, candidate: &Candidate, observer: &dyn Observer) -> Result<()> {
    apply(repo, snapshot.index.clone(), snapshot.adopted.as_ref(), candidate, observer)
}

/// Whether [`apply_to_index`] could change the file at `path` now. Call it before a provider is paid for the change.
pub fn check_applies(repo: &Repo, snapshot: &Snapshot, path: &RepoPath, observer: &dyn Observer) -> Result<()> {
    let before = repo.store().entry(snapshot.tree, path)?;
    let after = before.or(Some(TreeEntry { oid: Oid::ZERO_SHA1, mode: FileMode::File }));
    let touched = [tree_diff::Difference { path: path.clone(), before, after }];
    let lock = WorkTreeLock::take(repo, observer)?;
    let index = IndexCopy::read(snapshot.index.clone(), lock.folder())?;
    let adopted = snapshot.adopted.as_ref();
    let scene = Scene { repo, touched: &touched, base: snapshot.tree, adopted };
    conflicts::check(&scene, lock.work_tree(), &index, lock.folder()).map(drop)
}

fn workdir(repo: &Repo) -> Result<&Path> {
    let none = || Fault::new(FaultKind::Git, "a bare repository has no work tree to apply a change to");
    repo.workdir().ok_or_else(|| none().into())
}

/// The one sequence of steps by which files and index change.
fn apply(
    repo: &Repo,
    index: PathBuf,
    adopted: Option<&RepoPath>,
    candidate: &Candidate,
    observer: &dyn Observer,
) -> Result<()> {
    let touched = tree_diff::differences(&repo.store().handle(), candidate.base_tree, candidate.tree)?;
    let mut lock = WorkTreeLock::take(repo, observer)?;
    observer.disk(&DiskStep::Changed);
    if touched.is_empty() {
        return Ok(());
    }
    let mut index = IndexCopy::read(index, lock.folder())?;
    let scene = Scene { repo, touched: &touched, base: candidate.base_tree, adopted };
    let seen = conflicts::check(&scene, lock.work_tree(), &index, lock.folder())?;
    repo.on_disk(|disk| {
        repo.store().write_to_disk(candidate.tree, disk, observer)?;
        // The version before the change stays known, also if the work tree alone has it.
        let before = touched.iter().filter_map(|file| file.before).map(|entry| entry.oid);
        repo.store().write_blobs_to_disk(before, disk, observer)
    })?;
    observer.disk(&DiskStep::Changed);
    let checked = CheckedChange { tree: candidate.tree, touched: &touched, seen: &seen, index: &index };
    let journal = prepare::prepare(&mut lock, repo, checked, observer)?;

    let change = PreparedChange { scene: &scene, lock: &lock, seen: &seen, journal: &journal, observer };
    change.make(&mut index)
}

/// A change that is prepared.
struct PreparedChange<'a> {
    scene: &'a Scene<'a>,
    lock: &'a WorkTreeLock<'a>,
    seen: &'a SeenFiles,
    journal: &'a Journal,
    observer: &'a dyn Observer,
}

impl PreparedChange<'_> {
    /// Makes the change or undoes it.
    fn make(&self, index: &mut IndexCopy) -> Result<()> {
        let token = self.lock.folder().join(prepare::TOKEN);
        let mut index_lock = IndexLock::take(index.original(), &token).inspect_err(|_| self.forget())?;
        self.observer.disk(&DiskStep::Changed);
        if let Err(cause) = self.make_locked(index, &mut index_lock) {
            let (work_tree, staging) = (self.lock.work_tree(), self.lock.staging());
            let undo = Undo { work_tree, staging, journal: self.journal, observer: self.observer };
            let (error, undone) = undo::roll_back(&undo, cause);
            match undone {
                true => {
                    recover::restat(self.lock, self.journal, &mut index_lock, self.observer);
                    drop(index_lock);
                    self.forget();
                }
                false => index_lock.leave(),
            }
            return Err(error);
        }
        self.observer.disk(&DiskStep::Changed);
        let finished = sync_parent(index.original()).and_then(|()| {
            drop(index_lock);
            self.observer.disk(&DiskStep::Changed);
            recover::remove_journal(self.lock)?;
            self.observer.disk(&DiskStep::Changed);
            Ok(())
        });
        finished.with_context(|| Fault::new(FaultKind::Git, "the change is placed, but the disk did not confirm it"))
    }

    fn make_locked(&self, index: &mut IndexCopy, index_lock: &mut IndexLock) -> Result<()> {
        let PreparedChange { scene, lock, seen, journal, observer } = self;
        if index.refresh()? {
            conflicts::check_index(scene, &index.index)?;
        }
        let transaction =
            Transaction { work_tree: lock.work_tree(), staging: lock.staging(), journal, observer: *observer };
        let placed = transaction.apply(seen)?;
        index::stage(&mut index.index, scene.touched, &placed)?;
        index.write(*observer)?;
        let synced = prepare::sync_dirs(workdir(scene.repo)?, journal);
        synced.with_context(|| Fault::new(FaultKind::Git, "cannot write the files of the change"))?;
        index.publish(index_lock)
    }

    /// Removes the journal of a change that was not made. If that fails, the next host finds nothing to undo.
    fn forget(&self) {
        let _ = recover::remove_journal(self.lock);
    }
}
