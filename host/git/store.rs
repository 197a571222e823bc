//! A repository's objects. New ones stay in memory.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use git2::{ErrorCode, ObjectType, Odb, OdbLookupFlags, Repository};

use super::blobs::Blobs;
use super::diff_text::changed_lines;
use super::folders::Folders;
use super::loose;
use super::missing::MissingObjects;
use super::sync::sync_all;
use super::{failed, not_read, repo::unpoisoned, tree};
use guardhost_core::change::{DiskStep, FileMode, Objects, Observer, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// Reads the repository's objects, and keeps new ones in memory until [`Store::write_to_disk`].
///
/// libgit2's handle may move between threads but not be shared, so a lock guards it. Each call holds the lock for one object.
pub struct Store {
    handle: Mutex<Repository>,
    folders: Mutex<Folders>,
    blobs: Mutex<Blobs>,
    missing: MissingObjects,
}

/// Whether an object can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectState {
    /// Its bytes are those that its name says.
    Kept,
    Missing,
    /// It is there, and cannot be read, or has other bytes; why.
    Damaged(String),
}

/// Above the priorities of loose objects (1) and packs (2), so that libgit2 writes new objects to memory.
const PRIORITY: i32 = 1000;

impl Store {
    pub(super) fn new(handle: Repository) -> Result<Self> {
        let odb = handle.odb().map_err(|cause| failed("cannot open the repository's objects", cause))?;
        odb.add_new_mempack_backend(PRIORITY).map_err(|cause| failed("cannot keep objects in memory", cause))?;
        drop(odb);
        Ok(Store {
            handle: Mutex::new(handle),
            folders: Mutex::default(),
            blobs: Mutex::default(),
            missing: MissingObjects::default(),
        })
    }

    pub(super) fn missing(&self) -> &MissingObjects {
        &self.missing
    }

    pub(super) fn missing_mut(&mut self) -> &mut MissingObjects {
        &mut self.missing
    }

    /// The handle, locked for as long as the guard lives. No method of this store may be called meanwhile: it would deadlock.
    pub(super) fn handle(&self) -> MutexGuard<'_, Repository> {
        unpoisoned(&self.handle)
    }

    /// Reads an object of any kind, and hashes it: libgit2 does so for every object that it reads.
    pub fn state(&self, oid: Oid) -> ObjectState {
        let handle = self.handle();
        if let Some(Err(why)) = loose::check(&handle.commondir().join("objects"), oid) {
            return ObjectState::Damaged(why);
        }
        let odb = match handle.odb() {
            Ok(odb) => odb,
            Err(cause) => return ObjectState::Damaged(cause.message().to_owned()),
        };
        match odb.read(oid) {
            Ok(_) => ObjectState::Kept,
            Err(_) if !odb.exists(oid) => ObjectState::Missing,
            Err(cause) => ObjectState::Damaged(format!("object {oid}: {}", cause.message())),
        }
    }

    /// The first loose object of a tree that is damaged, with the reason. `checked` are left out, and added to.
    ///
    /// # Errors
    /// A tree cannot be read.
    pub fn damaged(&self, tree: Oid, checked: &mut HashSet<Oid>) -> Result<Option<(Oid, String)>> {
        let handle = self.handle();
        let folder = handle.commondir().join("objects");
        let mut open = vec![(tree, true)];
        while let Some((oid, is_tree)) = open.pop() {
            if !checked.insert(oid) {
                continue;
            }
            if let Some(Err(why)) = loose::check(&folder, oid) {
                checked.remove(&oid);
                return Ok(Some((oid, why)));
            }
            if is_tree {
                let found = handle.find_tree(oid).map_err(|cause| failed(format!("cannot read tree {oid}"), cause))?;
                open.extend(found.iter().filter_map(|entry| match entry.kind() {
                    Some(ObjectType::Tree) => Some((entry.id(), true)),
                    Some(ObjectType::Blob) => Some((entry.id(), false)),
                    _ => None,
                }));
            }
        }
        Ok(None)
    }

    /// The object at `path`; the mode is None for a directory.
    fn find(&self, handle: &Repository, tree: Oid, path: &RepoPath) -> Result<Option<(Oid, Option<FileMode>)>> {
        self.missing.root(tree);
        self.missing.retrying(handle, Vec::new, || unpoisoned(&self.folders).find(handle, tree, path))
    }

    /// Writes `tree` and all below it that is only in memory as loose objects through `disk`, and syncs them.
    ///
    /// Children are written before their parents, so that an interruption leaves no object that names a missing one.
    pub(super) fn write_to_disk(&self, tree: Oid, disk: &Repository, observer: &dyn Observer) -> Result<()> {
        self.writing(disk, observer, |writing| writing.tree(tree))
    }

    /// The same for blobs.
    pub(super) fn write_blobs_to_disk(
        &self,
        blobs: impl Iterator<Item = Oid>,
        disk: &Repository,
        observer: &dyn Observer,
    ) -> Result<()> {
        self.writing(disk, observer, |writing| blobs.into_iter().try_for_each(|blob| writing.object(blob)))
    }

    fn writing(
        &self,
        disk: &Repository,
        observer: &dyn Observer,
        work: impl FnOnce(&mut Writing<'_>) -> Result<()>,
    ) -> Result<()> {
        let handle = self.handle();
        let mut writing =
            Writing { handle: &handle, memory: objects(&handle)?, disk: objects(disk)?, written: Vec::new() };
        work(&mut writing)?;
        let written = std::mem::take(&mut writing.written);
        sync_objects(disk, &written, observer)
            .with_context(|| Fault::new(FaultKind::Git, "cannot write objects").hint("is the disk full, or defective?"))
    }
}

fn objects(repo: &Repository) -> Result<Odb<'_>> {
    repo.odb().map_err(|cause| failed("cannot open the repository's objects", cause))
}

/// Syncs the files of loose objects, and the directories that name them.
pub(super) fn sync_objects(repo: &Repository, oids: &[Oid], observer: &dyn Observer) -> std::io::Result<()> {
    let folder = repo.commondir().join("objects");
    let mut dirs = BTreeSet::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    for oid in oids {
        let name = oid.to_string();
        let dir = folder.join(&name[..2]);
        paths.push(dir.join(&name[2..]));
        dirs.insert(dir);
    }
    if !dirs.is_empty() {
        dirs.insert(folder);
    }
    paths.extend(dirs);
    sync_all(&paths)?;
    paths.iter().for_each(|path| observer.disk(&DiskStep::Synced(path)));
    Ok(())
}

/// Objects on their way to disk.
struct Writing<'a> {
    handle: &'a Repository,
    memory: Odb<'a>,
    disk: Odb<'a>,
    written: Vec<Oid>,
}

impl Writing<'_> {
    /// A tree on disk is skipped: all below it is on disk too, as git itself assumes when it fetches and packs.
    fn tree(&mut self, oid: Oid) -> Result<()> {
        if self.disk.exists_ext(oid, OdbLookupFlags::NO_REFRESH) {
            return Ok(());
        }
        let tree = self.handle.find_tree(oid).map_err(|cause| failed(format!("cannot read tree {oid}"), cause))?;
        for entry in &tree {
            match entry.kind() {
                Some(ObjectType::Tree) => self.tree(entry.id())?,
                Some(ObjectType::Blob) => self.object(entry.id())?,
                _ => {} // A submodule's commit belongs to another repository.
            }
        }
        self.object(oid)
    }

    fn object(&mut self, oid: Oid) -> Result<()> {
        if self.disk.exists_ext(oid, OdbLookupFlags::NO_REFRESH) {
            return Ok(());
        }
        let object = self.memory.read(oid).map_err(|cause| failed(format!("cannot read object {oid}"), cause))?;
        let kept = self.disk.write(object.kind(), object.data());
        self.written.push(oid);
        kept.map(drop).with_context(|| {
            Fault::new(FaultKind::Git, format!("cannot write object {oid}"))
                .hint("is the disk full, or the repository read-only?")
        })
    }
}

impl Objects for Store {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        if let Some(content) = unpoisoned(&self.blobs).content(oid) {
            return Ok(content);
        }
        let handle = self.handle();
        // Another thread may have read it while this one waited for the handle.
        if let Some(content) = unpoisoned(&self.blobs).content(oid) {
            return Ok(content);
        }
        let odb = objects(&handle)?;
        let not_read = |cause| not_read(&handle, oid, format!("cannot read blob {oid}"), cause);
        let object = self.missing.retrying(&handle, Vec::new, || odb.read(oid).map_err(not_read))?;
        let content: Arc<[u8]> = match object.kind() {
            ObjectType::Blob => object.data().into(),
            kind => return Err(Fault::new(FaultKind::Git, format!("object {oid} is a {kind}, not a blob")).into()),
        };
        unpoisoned(&self.blobs).keep(oid, &content);
        Ok(content)
    }

    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        changed_lines(before, after)
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        if let Some(size) = unpoisoned(&self.blobs).size(oid) {
            return Ok(size);
        }
        let handle = self.handle();
        let odb = objects(&handle)?;
        let not_read = |cause| not_read(&handle, oid, format!("cannot read blob {oid}"), cause);
        let (size, _) = self.missing.retrying(&handle, Vec::new, || odb.read_header(oid).map_err(not_read))?;
        drop(odb);
        drop(handle);
        unpoisoned(&self.blobs).keep_size(oid, size as u64);
        Ok(size as u64)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        Ok(self.find(&self.handle(), tree, path)?.and_then(|(oid, mode)| Some(TreeEntry { oid, mode: mode? })))
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        Ok(path.as_bytes().is_empty() || matches!(self.find(&self.handle(), tree, path)?, Some((_, None))))
    }

    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        if !(7..=40).contains(&prefix.len()) || !prefix.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let handle = self.handle();
        let found = handle.find_object_by_prefix(prefix, Some(ObjectType::Blob));
        match found {
            Ok(object) => Ok(Some(object.id())),
            // A patch may name a blob that does not exist; only a failed lookup is an error.
            Err(cause) if [ErrorCode::NotFound, ErrorCode::Ambiguous].contains(&cause.code()) => Ok(None),
            Err(cause) => Err(failed(format!("cannot look up blob {prefix}"), cause)),
        }
    }

    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        self.missing.root(tree);
        tree::walk(self, tree, &mut Vec::new(), visit).map(drop)
    }

    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        let handle = self.handle();
        let found = match dir.as_bytes() {
            b"" => Some(tree),
            _ => self.find(&handle, tree, dir)?.and_then(|(oid, mode)| mode.is_none().then_some(oid)),
        };
        Ok(tree::entries(&handle, found)?.into_iter().map(|entry| entry.name).collect())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        let handle = self.handle();
        let odb = objects(&handle)?;
        let oid = Oid::hash_object(ObjectType::Blob, bytes).map_err(|cause| failed("cannot hash a blob", cause))?;
        // Writing an object that is on disk would renew the time stamp of its file.
        if odb.exists_ext(oid, OdbLookupFlags::NO_REFRESH) {
            return Ok(oid);
        }
        odb.write(ObjectType::Blob, bytes).map_err(|cause| failed("cannot keep a blob in memory", cause))
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        tree::edit(&self.handle(), tree, edits)
    }
}
