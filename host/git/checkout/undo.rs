//! Undoes a change that was interrupted: by an error, or by the end of the process that applied it.
//!
//! Each file goes back to what it was, from its slot. A file that is neither what it was nor what the change made of it was changed
//! by another program since, and stays.

use std::io::{self, ErrorKind};

use git2::Index;
use guardhost_os::set_mode;

use super::conflicts::staged;
use super::journal::{Journal, Placement};
use super::lock::Staging;
use super::swap::{OpenFile, exchange, exists, move_to_free, settle_slot};
use super::transaction::slot_name;
use super::work_tree::{FoundFile, OnDisk, WorkTree, find};
use guardhost_core::change::{DiskStep, Observer, Oid, RepoPath};
use guardhost_core::error::{Error, Fault, FaultKind};

/// A file that was not restored, since it was changed or staged after the interruption.
#[derive(Debug)]
pub(super) struct UnrestoredFile {
    path: RepoPath,
    /// The blob that was there before the change.
    before: Option<Oid>,
}

pub(super) fn list(kept: &[UnrestoredFile]) -> String {
    let shown = |UnrestoredFile { path, before }: &UnrestoredFile| match before {
        Some(before) => format!("{path} (before the change: git show {before})"),
        None => format!("{path} (new in the change)"),
    };
    kept.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Undoes a change that failed, while the index is locked. Returns `cause`, with what could not be undone, and whether all was.
pub(super) fn roll_back(undo: &Undo<'_>, cause: Error) -> (Error, bool) {
    let Undone { kept, failed } = undo.run(None);
    match cannot_undo(failed) {
        Some(error) => {
            let what = format!("the change failed midway ({cause:#}), and could not be undone");
            (error.context(Fault::new(FaultKind::Git, what).hint("fix that, then undo it with: host doctor")), false)
        }
        None if kept.is_empty() => (cause, true),
        None => {
            let what = format!("the change failed midway; files that were changed meanwhile stay: {}", list(&kept));
            (cause.context(Fault::new(FaultKind::Git, what)), true)
        }
    }
}

pub(super) fn cannot_undo(failed: Vec<(RepoPath, io::Error)>) -> Option<Error> {
    let paths: Vec<_> = failed.iter().map(|(path, error)| format!("{path} ({error})")).collect();
    (!paths.is_empty()).then(|| Error::msg(format!("cannot restore {}", paths.join(", "))))
}

#[derive(Default)]
pub(super) struct Undone {
    pub kept: Vec<UnrestoredFile>,
    pub failed: Vec<(RepoPath, io::Error)>,
}

pub(super) struct Undo<'a> {
    pub work_tree: &'a WorkTree,
    pub staging: &'a [Staging],
    pub journal: &'a Journal,
    pub observer: &'a dyn Observer,
}

/// How far one file came.
enum FileProgress {
    /// As before the change; or never reached by it.
    Untouched,
    /// As the change wants it.
    Done,
    /// Changed by it, and since then by another program.
    Changed,
}

impl Undo<'_> {
    /// Whether any file is not as before the change.
    pub fn has_work(&self) -> io::Result<bool> {
        for (slot, file) in self.journal.files.iter().enumerate() {
            if !matches!(self.progress(slot, file)?, FileProgress::Untouched) {
                return Ok(true);
            }
        }
        Ok(self.journal.made.iter().any(|dir| self.work_tree.root.symlink_metadata(dir.to_os()).is_ok())
            || self.journal.dirs.iter().any(|(dir, _)| self.work_tree.root.symlink_metadata(dir.to_os()).is_err()))
    }

    /// New files go, then directories as they were, then old files. May itself be interrupted and done again.
    /// `index`: None if nobody can have staged anything since.
    pub fn run(&self, index: Option<&Index>) -> Undone {
        let mut undone = Undone::default();
        let files = || self.journal.files.iter().enumerate();
        for (slot, file) in files().filter(|(_, file)| file.old.is_none()) {
            self.undo(slot, file, index, &mut undone);
        }
        for dir in self.journal.made.iter().rev() {
            // A directory that is not empty holds files of others.
            if self.work_tree.root.remove_dir(dir.to_os()).is_ok() {
                self.observer.disk(&DiskStep::Changed);
            }
        }
        for (dir, mode) in &self.journal.dirs {
            if let Err(error) = self.restore_dir(dir, *mode) {
                undone.failed.push((dir.clone(), error));
            }
        }
        for (slot, file) in files().filter(|(_, file)| file.old.is_some()) {
            self.undo(slot, file, index, &mut undone);
        }
        undone
    }

    fn restore_dir(&self, dir: &RepoPath, mode: u32) -> io::Result<()> {
        match self.work_tree.root.create_dir(dir.to_os()) {
            Ok(()) => {
                self.observer.disk(&DiskStep::Changed);
                set_mode(&self.work_tree.root, &dir.to_os(), mode)
            }
            // It was not removed, or there is a file now, which a file below it reports.
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotADirectory) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn undo(&self, slot: usize, file: &Placement, index: Option<&Index>, undone: &mut Undone) {
        let done = self.progress(slot, file).and_then(|progress| match progress {
            FileProgress::Untouched => Ok(true),
            FileProgress::Changed => Ok(false),
            FileProgress::Done if index.is_some_and(|index| !is_staged_as_before(file, index)) => Ok(false),
            FileProgress::Done => self.restore(slot, file),
        });
        match done {
            Ok(true) => {}
            Ok(false) => {
                let before = file.before.map(|entry| entry.oid);
                undone.kept.push(UnrestoredFile { path: file.path.clone(), before });
            }
            Err(error) => undone.failed.push((file.path.clone(), error)),
        }
    }

    fn slot(&self, file: &Placement) -> io::Result<&Staging> {
        self.staging.get(file.staging).ok_or_else(|| io::Error::other("its staging folder is gone"))
    }

    fn progress(&self, slot: usize, file: &Placement) -> io::Result<FileProgress> {
        let staging = self.slot(file)?;
        let name = slot_name(slot);
        let slot = OpenFile { dir: &staging.dir, name: &name };
        match self.work_tree.open_parent(&file.path) {
            Ok((dir, name)) => settle_slot(OpenFile { dir: &dir, name: &name }, slot)?,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(error),
        }
        let now = self.work_tree.find(&file.path)?;
        let in_slot = find(slot.dir, slot.name.as_ref())?;
        // A slot that still holds the new file was never used, nor was an empty one of a file to be removed.
        let reached = in_slot.file() != file.new;
        let is = |wanted: Option<OnDisk>| match now {
            FoundFile::Nothing => wanted.is_none(),
            FoundFile::File(now) => wanted == Some(now),
            FoundFile::Other => false,
        };
        Ok(if !reached || is(file.old) {
            FileProgress::Untouched
        } else if is(file.new) {
            FileProgress::Done
        } else {
            FileProgress::Changed
        })
    }

    /// False when another program has changed the file in this very moment; then it stays.
    fn restore(&self, slot: usize, file: &Placement) -> io::Result<bool> {
        let staging = self.slot(file)?;
        let (dir, name) = self.work_tree.open_parent(&file.path)?;
        let slot_name = slot_name(slot);
        let (at, slot) = (OpenFile { dir: &dir, name: &name }, OpenFile { dir: &staging.dir, name: &slot_name });
        let restored = match (file.old, file.new) {
            (Some(_), None) => match move_to_free(slot, at) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
                other => other.map(|()| true),
            },
            (None, _) => {
                move_to_free(at, slot)?;
                self.taken_out(slot, file, || move_to_free(slot, at))
            }
            (Some(_), Some(_)) if !exists(slot)? => Err(io::Error::other("its old content is gone")),
            (Some(_), Some(_)) => {
                exchange(at, slot)?;
                self.taken_out(slot, file, || exchange(at, slot))
            }
        };
        self.observer.disk(&DiskStep::Changed);
        restored
    }

    /// Whether what came out of the work tree is what the change had put there.
    fn taken_out(
        &self,
        slot: OpenFile<'_>,
        file: &Placement,
        put_back: impl Fn() -> io::Result<()>,
    ) -> io::Result<bool> {
        if find(slot.dir, slot.name.as_ref())?.file() == file.new {
            return Ok(true);
        }
        put_back().map(|()| false)
    }
}

/// Whoever staged the file since wants to keep it.
fn is_staged_as_before(file: &Placement, index: &Index) -> bool {
    let staged = staged(index, &file.path);
    staged.is_none() || staged == file.before.map(|entry| (entry.oid, entry.mode.raw()))
}
