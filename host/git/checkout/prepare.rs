//! Everything that can be done before the first change: the new files, converted and on disk, and the journal.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use guardhost_os::{Stat, set_mode, symlink};
use uuid::Uuid;

use super::conflicts::SeenFiles;
use super::filters;
use super::index::IndexCopy;
use super::journal::{Journal, Placement};
use super::lock::{Staging, WorkTreeLock};
use super::transaction::{Directories, directories, slot_name};
use super::work_tree::{cannot, find, parents};
use crate::Repo;
use crate::sync::{sync_all, sync_parent};
use crate::tree_diff::Difference;
use guardhost_core::change::{DiskStep, Observer, Oid, RepoPath};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// The name of the file whose content `index.lock` gets.
pub(super) const TOKEN: &str = "token";

/// A change that was checked.
pub(super) struct CheckedChange<'a> {
    pub tree: Oid,
    pub touched: &'a [Difference],
    pub seen: &'a SeenFiles,
    pub index: &'a IndexCopy,
}

/// Puts each new file into its slot, and writes the journal. All is on disk afterwards.
pub(super) fn prepare(
    lock: &mut WorkTreeLock<'_>,
    repo: &Repo,
    CheckedChange { tree, touched, seen, index }: CheckedChange<'_>,
    observer: &dyn Observer,
) -> Result<Journal> {
    let cannot_prepare = || Fault::new(FaultKind::Git, "cannot prepare the files of the change");
    let new: Vec<&RepoPath> =
        touched.iter().filter(|difference| difference.after.is_some()).map(|difference| &difference.path).collect();
    let folder = lock.folder().join("new");
    fs::create_dir(&folder).with_context(cannot_prepare)?;
    filters::write(repo, tree, &new, &index.index, &folder)?;
    let mut files = Vec::new();
    for (slot, difference) in touched.iter().enumerate() {
        let staging = lock.staging_for(&difference.path)?;
        files.push(stage(lock.staging(), (staging, slot), difference, seen, &folder)?);
    }
    let Directories { removable: dirs, made } = directories(lock.work_tree(), &files).with_context(cannot_prepare)?;
    let pid = std::process::id();
    let token = format!("{}\nHost process {pid} places a change. If it was killed: host doctor\n", Uuid::now_v7());
    let journal = Journal { pid, index: index.original().to_path_buf(), token, dirs, made, files };
    let synced = (|| {
        let token = lock.folder().join(TOKEN);
        fs::write(&token, &journal.token)?;
        let slots = journal.files.iter().enumerate().filter(|(_, file)| file.new.is_some_and(|new| !new.is_link()));
        let mut paths: Vec<PathBuf> =
            slots.map(|(slot, file)| lock.staging()[file.staging].path.join(slot_name(slot))).collect();
        paths.push(token);
        paths.extend(lock.staging().iter().map(|staging| staging.path.clone()));
        paths.extend(lock.staging().iter().filter_map(|staging| Some(staging.path.parent()?.to_path_buf())));
        sync_all(&paths)?;
        paths.iter().for_each(|path| observer.disk(&DiskStep::Synced(path)));
        journal.write(&lock.journal())?;
        sync_parent(&lock.journal())?;
        observer.disk(&DiskStep::Synced(&lock.journal()));
        observer.disk(&DiskStep::Changed);
        Ok(())
    })();
    synced.map_err(|error: io::Error| guardhost_core::error::Error::from(error).context(cannot_prepare()))?;
    Ok(journal)
}

/// What is to be done with one path; its new file goes to the slot.
fn stage(
    staging: &[Staging],
    (number, slot): (usize, usize),
    Difference { path, before, after }: &Difference,
    seen: &SeenFiles,
    checked_out: &Path,
) -> Result<Placement> {
    let prepare = || cannot("prepare", path);
    let staging = &staging[number];
    let old = seen.get(path).and_then(Option::as_ref).map(|seen| seen.file);
    let mut new = None;
    if after.is_some() {
        let slot = slot_name(slot);
        move_to_slot(&checked_out.join(path.to_os()), staging, slot.as_ref()).with_context(prepare)?;
        let file = find(&staging.dir, slot.as_ref()).with_context(prepare)?.file();
        new = Some(file.ok_or_else(prepare)?);
    }
    Ok(Placement { path: path.clone(), before: *before, after: *after, old, new, staging: number })
}

fn move_to_slot(from: &Path, staging: &Staging, slot: &Path) -> io::Result<()> {
    match fs::rename(from, staging.path.join(slot)) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        other => return other,
    }
    if fs::symlink_metadata(from)?.is_symlink() {
        return symlink(&staging.dir, &fs::read_link(from)?, slot);
    }
    let mode = fs::metadata(from)?.mode();
    staging.dir.write(slot, fs::read(from)?)?;
    set_mode(&staging.dir, slot, mode & 0o777)
}

/// Syncs the directories of the work tree in which files were placed.
pub(super) fn sync_dirs(workdir: &Path, journal: &Journal) -> io::Result<()> {
    let dirs: BTreeSet<RepoPath> = journal.files.iter().flat_map(|file| parents(&file.path)).collect();
    let dirs = dirs.iter().map(|dir| workdir.join(dir.to_os())).filter(|dir| dir.is_dir());
    sync_all(&dirs.chain([workdir.to_path_buf()]).collect::<Vec<_>>())
}
