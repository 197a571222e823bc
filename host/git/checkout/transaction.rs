//! Changes files of the work tree one by one. The journal has what is needed to undo that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::{self, ErrorKind};

use super::conflicts::SeenFiles;
use super::index::CheckedOutFile;
use super::journal::{Journal, Placement};
use super::lock::Staging;
use super::swap::{OpenFile, exchange, exists, move_to_free};
use super::work_tree::{DiskState, FileStat, WorkTree, cannot, parents};
use guardhost_core::change::{DiskStep, Observer, RepoPath};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

pub(super) struct Transaction<'a> {
    pub work_tree: &'a WorkTree,
    pub staging: &'a [Staging],
    pub journal: &'a Journal,
    pub observer: &'a dyn Observer,
}

impl Transaction<'_> {
    /// Removes files, then writes files, then removes directories that became empty, which git does not keep either.
    /// A removed file goes to its slot; a written one comes from there, and leaves what it replaces there.
    ///
    /// `seen` is what was at each path when it was checked. Returns the metadata of the files written.
    pub fn apply(&self, seen: &SeenFiles) -> Result<HashMap<RepoPath, CheckedOutFile>> {
        let files = || self.journal.files.iter().enumerate();
        let mut placed = HashMap::new();
        for (slot, file) in files().filter(|(_, file)| file.new.is_none()) {
            let seen = stat_of(seen, &file.path);
            self.check_unchanged(file, seen)?;
            if let Some(seen) = seen {
                self.remove(slot, file, seen)?;
            }
        }
        for (slot, file) in files().filter(|(_, file)| file.new.is_some()) {
            let seen = stat_of(seen, &file.path);
            self.check_unchanged(file, seen)?;
            let stat = self.write(slot, file, seen)?;
            placed.insert(file.path.clone(), CheckedOutFile { stat, was_there: seen.is_some() });
        }
        for (_, file) in files().filter(|(_, file)| file.new.is_none()) {
            self.remove_empty_parents(&file.path).with_context(|| cannot("remove the directory of", &file.path))?;
        }
        Ok(placed)
    }

    /// Another process may have saved the file since it was checked.
    fn check_unchanged(&self, file: &Placement, seen: Option<&FileStat>) -> Result<()> {
        let now = match self.work_tree.state(&file.path)? {
            DiskState::File(stat) | DiskState::Link(stat) => Some(stat),
            DiskState::Nothing | DiskState::Directory | DiskState::Other => None,
        };
        if seen == now.as_ref() { Ok(()) } else { Err(changed_meanwhile(&file.path)) }
    }

    fn remove(&self, slot: usize, file: &Placement, seen: &FileStat) -> Result<()> {
        self.with_places(slot, file, |at, slot| {
            move_to_free(at, slot).with_context(|| cannot("remove", &file.path))?;
            self.observer.disk(&DiskStep::Changed);
            if !is_seen(slot, seen)? {
                move_to_free(slot, at).with_context(|| cannot("put back", &file.path))?;
                return Err(changed_meanwhile(&file.path));
            }
            Ok(())
        })
    }

    fn write(&self, slot: usize, file: &Placement, seen: Option<&FileStat>) -> Result<FileStat> {
        let write = || cannot("write", &file.path);
        if let DiskState::Directory = self.work_tree.state(&file.path)? {
            self.remove_empty_dirs(&file.path).with_context(write)?;
        }
        self.make_parents(&file.path).with_context(write)?;
        self.with_places(slot, file, |at, slot| {
            match seen {
                None => move_to_free(slot, at).with_context(write)?,
                Some(seen) => {
                    exchange(at, slot).with_context(write)?;
                    if !is_seen(slot, seen)? {
                        exchange(at, slot).with_context(|| cannot("put back", &file.path))?;
                        return Err(changed_meanwhile(&file.path));
                    }
                }
            }
            self.observer.disk(&DiskStep::Changed);
            Ok(FileStat::from_metadata(&at.dir.symlink_metadata(at.name).with_context(write)?))
        })
    }

    fn with_places<T>(
        &self,
        slot: usize,
        file: &Placement,
        work: impl FnOnce(OpenFile<'_>, OpenFile<'_>) -> Result<T>,
    ) -> Result<T> {
        let (dir, name) = self.work_tree.open_parent(&file.path).with_context(|| cannot("open", &file.path))?;
        let staging = self.staging.get(file.staging).ok_or_else(|| cannot("prepare", &file.path))?;
        let slot = slot_name(slot);
        work(OpenFile { dir: &dir, name: &name }, OpenFile { dir: &staging.dir, name: &slot })
    }

    fn make_parents(&self, path: &RepoPath) -> io::Result<()> {
        for dir in parents(path) {
            match self.work_tree.root.create_dir(dir.to_os()) {
                Ok(()) => self.observer.disk(&DiskStep::Changed),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn remove_empty_dirs(&self, dir: &RepoPath) -> io::Result<()> {
        for path in self.work_tree.list(dir)? {
            self.remove_empty_dirs(&path)?;
        }
        self.remove_dir(dir)
    }

    fn remove_dir(&self, dir: &RepoPath) -> io::Result<()> {
        self.work_tree.root.remove_dir(dir.to_os())?;
        self.observer.disk(&DiskStep::Changed);
        Ok(())
    }

    fn remove_empty_parents(&self, path: &RepoPath) -> io::Result<()> {
        for dir in parents(path).rev() {
            match self.work_tree.read_state(&dir)? {
                DiskState::Directory if self.work_tree.list(&dir)?.is_empty() => self.remove_dir(&dir)?,
                DiskState::Nothing => {}
                DiskState::File(_) | DiskState::Link(..) | DiskState::Directory | DiskState::Other => return Ok(()),
            }
        }
        Ok(())
    }
}

pub(super) fn slot_name(slot: usize) -> OsString {
    slot.to_string().into()
}

fn stat_of<'a>(seen: &'a SeenFiles, path: &RepoPath) -> Option<&'a FileStat> {
    seen.get(path).and_then(Option::as_ref).map(|seen| &seen.stat)
}

/// Whether the file that came out of the work tree is the one that was checked.
fn is_seen(slot: OpenFile<'_>, seen: &FileStat) -> Result<bool> {
    let now = exists(slot).and_then(|_| slot.dir.symlink_metadata(slot.name));
    let now = now.with_context(|| Fault::new(FaultKind::Git, "cannot read a file that was replaced"))?;
    Ok(seen.is_same_file(&FileStat::from_metadata(&now)))
}

fn changed_meanwhile(path: &RepoPath) -> Error {
    Fault::new(FaultKind::Git, format!("{path} changed while the change was being applied")).hint("try again").into()
}

/// Directories that a change touches, outermost first.
pub(super) struct Directories {
    /// Those that it may remove, with their permissions.
    pub removable: Vec<(RepoPath, u32)>,
    pub made: Vec<RepoPath>,
}

pub(super) fn directories(work_tree: &WorkTree, files: &[Placement]) -> io::Result<Directories> {
    let (mut removable, mut made) = (BTreeMap::new(), BTreeSet::new());
    for file in files {
        for dir in parents(&file.path) {
            match (work_tree.read_state(&dir)?, file.new) {
                (DiskState::Directory, None) => drop(removable.insert(dir.clone(), mode(work_tree, &dir)?)),
                (DiskState::Directory, Some(_)) | (_, None) => {}
                (_, Some(_)) => drop(made.insert(dir)),
            }
        }
        if file.new.is_some() && matches!(work_tree.read_state(&file.path)?, DiskState::Directory) {
            all_dirs(work_tree, &file.path, &mut removable)?;
        }
    }
    Ok(Directories { removable: removable.into_iter().collect(), made: made.into_iter().collect() })
}

fn all_dirs(work_tree: &WorkTree, dir: &RepoPath, found: &mut BTreeMap<RepoPath, u32>) -> io::Result<()> {
    found.insert(dir.clone(), mode(work_tree, dir)?);
    for path in work_tree.list(dir)? {
        if let DiskState::Directory = work_tree.read_state(&path)? {
            all_dirs(work_tree, &path, found)?;
        }
    }
    Ok(())
}

fn mode(work_tree: &WorkTree, dir: &RepoPath) -> io::Result<u32> {
    Ok(guardhost_os::mode(&work_tree.root.symlink_metadata(dir.to_os())?))
}
