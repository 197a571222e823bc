//! Objects of a real git repository whose new objects stay in memory: enough to test `apply` alone.

use std::path::Path;
use std::sync::{Arc, Mutex};

use git2::build::TreeUpdateBuilder;
use git2::{ObjectType, Repository};
use guardhost_core::change::{FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;

pub struct Stored {
    repo: Mutex<Repository>,
    /// What was put: libgit2's objects in memory are not found by a part of their id.
    blobs: Mutex<Vec<Oid>>,
}

impl Stored {
    /// Reads the repository at `path`, writes nothing to it.
    pub fn over(path: &Path) -> Result<Arc<Self>> {
        let repo = Repository::open(path)?;
        // The backend belongs to libgit2 once it is added; the handle is only needed to dump it.
        let _ = repo.odb()?.add_new_mempack_backend(1000)?;
        Ok(Arc::new(Stored { repo: Mutex::new(repo), blobs: Mutex::default() }))
    }

    /// A tree of these files and nothing else.
    pub fn tree(&self, files: &[(RepoPath, TreeEntry)]) -> Result<Oid> {
        let empty = self.repo().treebuilder(None)?.write()?;
        let edits: Vec<_> = files.iter().map(|(path, entry)| (path.clone(), Some(*entry))).collect();
        self.edit_tree(empty, &edits)
    }

    fn repo(&self) -> std::sync::MutexGuard<'_, Repository> {
        self.repo.lock().unwrap()
    }
}

impl Objects for Stored {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        Ok(self.repo().find_blob(oid)?.content().into())
    }

    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        guardhost_git::changed_lines(before, after)
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        Ok(self.repo().odb()?.read_header(oid)?.0 as u64)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        let repo = self.repo();
        match repo.find_tree(tree)?.get_path(&path.to_os()) {
            Ok(found) => {
                Ok(FileMode::from_raw(found.filemode() as u32).map(|mode| TreeEntry { oid: found.id(), mode }))
            }
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        let repo = self.repo();
        let tree = repo.find_tree(tree)?;
        Ok(path.as_bytes().is_empty()
            || tree.get_path(&path.to_os()).is_ok_and(|entry| entry.kind() == Some(ObjectType::Tree)))
    }

    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        let mut all = Vec::new();
        self.repo().find_tree(tree)?.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
            if let Some(mode) = FileMode::from_raw(entry.filemode() as u32) {
                let path = [folder.as_bytes(), entry.name_bytes()].concat();
                all.push((RepoPath::new(path), TreeEntry { oid: entry.id(), mode }));
            }
            git2::TreeWalkResult::Ok
        })?;
        all.iter().all(|(path, entry)| visit(path, *entry));
        Ok(())
    }

    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        let repo = self.repo();
        let mut tree = repo.find_tree(tree)?;
        for name in dir.parts().filter(|name| !name.is_empty()) {
            let found = tree.get_name_bytes(name).map(|entry| entry.id());
            match found.and_then(|oid| repo.find_tree(oid).ok()) {
                Some(below) => tree = below,
                None => return Ok(Vec::new()),
            }
        }
        Ok(tree.iter().map(|entry| entry.name_bytes().to_vec()).collect())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        let oid = self.repo().blob(bytes)?;
        self.blobs.lock().unwrap().push(oid);
        Ok(oid)
    }

    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        let put = self.blobs.lock().unwrap().iter().copied().find(|oid| oid.to_string().starts_with(prefix));
        let repo = self.repo();
        let stored = || repo.find_object_by_prefix(prefix, Some(ObjectType::Blob)).ok().map(|object| object.id());
        Ok(put.or_else(stored))
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        let repo = self.repo();
        let mut update = TreeUpdateBuilder::new();
        for (path, entry) in edits {
            match entry {
                Some(TreeEntry { oid, mode }) => update.upsert(path.as_bytes(), *oid, raw(*mode)),
                None => update.remove(path.as_bytes()),
            };
        }
        Ok(update.create_updated(&repo, &repo.find_tree(tree)?)?)
    }
}

fn raw(mode: FileMode) -> git2::FileMode {
    match mode {
        FileMode::File => git2::FileMode::Blob,
        FileMode::Executable => git2::FileMode::BlobExecutable,
        FileMode::Symlink => git2::FileMode::Link,
        FileMode::Submodule => git2::FileMode::Commit,
    }
}
