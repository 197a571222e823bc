//! What a killed host left: its change is finished or undone, from its journal.
//!
//! The index is replaced last, in one step. If it holds the change, so does the work tree, and nothing is left to do. If it does
//! not, the change is undone.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;

use git2::Index;

use super::conflicts::staged;
use super::index::{self, CheckedOutFile, IndexCopy, IndexLock};
use super::journal::{Journal, Placement};
use super::lock::{FOLDER, LOCK, WorkTreeLock};
use super::undo::{Undo, Undone, UnrestoredFile, cannot_undo, list};
use super::work_tree::FileStat;
use crate::sync::sync_parent;
use crate::tree_diff::Difference;
use crate::{Repo, failed};
use guardhost_core::change::{DiskStep, Observer};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// What was done about a change that a killed process left in the middle.
#[derive(Debug)]
pub(super) struct Recovered {
    pid: u32,
    ending: Recovery,
}

#[derive(Debug)]
enum Recovery {
    /// Work tree and index already held the change.
    Finished,
    Undone(Vec<UnrestoredFile>),
}

impl fmt::Display for Recovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pid = self.pid;
        let kept = match &self.ending {
            Recovery::Finished => {
                return write!(
                    f,
                    "host process {pid} was killed when it had placed its change; the change is complete"
                );
            }
            Recovery::Undone(kept) => kept,
        };
        write!(f, "host process {pid} was killed while it placed a change; the change is undone")?;
        if !kept.is_empty() {
            write!(f, ", except where files were changed since: {}", list(kept))?;
        }
        Ok(())
    }
}

impl<'a> WorkTreeLock<'a> {
    /// Waits while another host changes files. Then finishes or undoes what a host that was killed left in the middle, which
    /// `observer` sees as a notice.
    ///
    /// Errors ([`FaultKind::Git`]): a bare repository, a git directory that cannot be written, an interrupted change that cannot be undone.
    pub fn take(repo: &Repo, observer: &'a dyn Observer) -> Result<Self> {
        WorkTreeLock::wait(repo, observer, |lock, observer| {
            Ok(finish_or_undo(lock, observer)?.map(|recovered| recovered.to_string()))
        })
    }
}

/// Finishes or undoes what a killed host left in the middle of a change to this work tree. Returns what was done; None when there
/// was nothing to do.
///
/// Errors as of [`WorkTreeLock::take`].
pub fn recover(repo: &Repo, observer: &dyn Observer) -> Result<Option<String>> {
    let state = repo.work_tree_state_path();
    if repo.is_bare() || ![LOCK, FOLDER].iter().any(|left| state.join(left).exists()) {
        return Ok(None);
    }
    Ok(WorkTreeLock::take(repo, observer)?.recovery().map(str::to_owned))
}

/// Finishes or undoes the change of which the journal is left. None without a journal: then nothing was changed.
pub(super) fn finish_or_undo(lock: &WorkTreeLock<'_>, observer: &dyn Observer) -> Result<Option<Recovered>> {
    let path = lock.journal();
    let unreadable = || {
        Fault::new(
            FaultKind::Git,
            format!("cannot read {}, the journal of a change that was interrupted", path.display()),
        )
        .hint("compare the files with git: git status; then remove that folder")
    };
    let Some(journal) = Journal::read(&path).with_context(unreadable)? else { return Ok(None) };
    let pid = journal.pid;
    let interrupted = || {
        Fault::new(
            FaultKind::Git,
            format!("host process {pid} was killed while it placed a change, which cannot be undone now"),
        )
        .hint(format!("fix that, then undo it with: host doctor; or give up, and remove {}", lock.folder().display()))
    };
    if !is_of(lock.folder(), &journal.index) {
        let what = "the journal of an interrupted change is for an index of another work tree";
        return Err(Fault::new(FaultKind::Git, format!("{what}: {}", journal.index.display()))
            .hint(format!(
                "host wrote that only if GIT_INDEX_FILE named it: compare the files with git status, then remove {}",
                lock.folder().display()
            ))
            .into());
    }
    let index = Index::open(&journal.index)
        .map_err(|cause| failed(format!("cannot read the index at {}", journal.index.display()), cause))
        .with_context(interrupted)?;
    let mut held = IndexLock::left_behind(&journal.index, &journal.token);
    let is_complete =
        |file: &Placement| staged(&index, &file.path) == file.after.map(|entry| (entry.oid, entry.mode.raw()));
    let ending = if journal.files.iter().all(is_complete) {
        Recovery::Finished
    } else {
        let undo = Undo { work_tree: lock.work_tree(), staging: lock.staging(), journal: &journal, observer };
        if held.is_none() && undo.has_work().with_context(interrupted)? {
            held = Some(IndexLock::take(&journal.index, &lock.folder().join(super::prepare::TOKEN)).map_err(|cause| {
                let what = format!(
                    "host process {pid} was killed while it placed a change, which cannot be undone while the index is locked"
                );
                let hint = format!(
                    "if no git process is running, remove {}.lock, then undo the change with: host doctor",
                    journal.index.display()
                );
                cause.context(Fault::new(FaultKind::Git, what).hint(hint))
            })?);
        }
        let Undone { kept, failed } = undo.run(Some(&index));
        if let Some(cause) = cannot_undo(failed) {
            // The lock stays with the journal: another git process would see half of the change.
            held.iter_mut().for_each(IndexLock::leave);
            return Err(cause.context(interrupted()));
        }
        if let Some(held) = &mut held {
            restat(lock, &journal, held, observer);
        }
        Recovery::Undone(kept)
    };
    drop(held);
    observer.disk(&DiskStep::Changed);
    remove_journal(lock).with_context(interrupted)?;
    Ok(Some(Recovered { pid, ending }))
}

/// Whether an index lies in the git directory that this folder of the lock is in. The journal is a file that any program can write, and
/// what it names is written to.
fn is_of(folder: &Path, index: &Path) -> bool {
    let git = folder.parent().and_then(Path::parent).map(Path::canonicalize);
    let index = index.parent().map(Path::canonicalize);
    matches!((git, index), (Some(Ok(git)), Some(Ok(index))) if index.starts_with(&git))
}

/// A file that was moved away and back has another ctime, so that git would read it again, and `git apply --index` refuse. The index
/// gets the new one. Nothing depends on it: if it fails, `git status` does the same.
pub(super) fn restat(lock: &WorkTreeLock<'_>, journal: &Journal, held: &mut IndexLock, observer: &dyn Observer) {
    let mut restat = || -> Result<()> {
        let mut index = IndexCopy::read(journal.index.clone(), lock.folder())?;
        let (mut same, mut stats) = (Vec::new(), HashMap::new());
        for Placement { path, before, old, .. } in &journal.files {
            let as_before = staged(&index.index, path) == before.map(|entry| (entry.oid, entry.mode.raw()));
            if as_before && old.is_some() && lock.work_tree().find(path)?.file() == *old {
                let stat = FileStat::from_metadata(&lock.work_tree().root.symlink_metadata(path.to_os())?);
                stats.insert(path.clone(), CheckedOutFile { stat, was_there: true });
                same.push(Difference { path: path.clone(), before: *before, after: *before });
            }
        }
        if same.is_empty() {
            return Ok(());
        }
        index::stage(&mut index.index, &same, &stats)?;
        index.write(observer)?;
        index.publish(held)
    };
    let _ = restat();
}

/// From now on the change is over.
pub(super) fn remove_journal(lock: &WorkTreeLock<'_>) -> io::Result<()> {
    std::fs::remove_file(lock.journal())?;
    sync_parent(&lock.journal())
}
