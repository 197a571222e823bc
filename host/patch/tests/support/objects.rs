//! Git objects in memory: trees as flat lists of files.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, ensure};
use git2::ObjectType;
use guardhost_core::change::{FileMode, Objects, Oid, RepoPath, Tree, TreeEntry};
use guardhost_core::error::Result;

pub type Files = BTreeMap<RepoPath, TreeEntry>;

#[derive(Default)]
pub struct MemoryObjects {
    blobs: Mutex<HashMap<Oid, Arc<[u8]>>>,
    trees: Mutex<HashMap<Oid, Files>>,
    walks: AtomicUsize,
    frozen: bool,
}

/// A tree with these files, each as (path, mode, content).
#[allow(dead_code, reason = "each test binary uses its share of this file")]
pub fn tree(files: &[(&str, FileMode, &str)]) -> Tree {
    let objects = MemoryObjects::default();
    let files = files.iter().map(|(path, mode, content)| {
        let oid = objects.put_blob(content.as_bytes()).unwrap();
        (RepoPath::from(*path), TreeEntry { oid, mode: *mode })
    });
    let files = files.collect();
    let oid = objects.put_tree(files).unwrap();
    Tree { objects: Arc::new(objects), oid }
}

impl MemoryObjects {
    /// Writes are errors from now on.
    pub fn frozen(self) -> Self {
        MemoryObjects { frozen: true, ..self }
    }

    /// How often a tree was walked.
    pub fn walks(&self) -> usize {
        self.walks.load(Ordering::Relaxed)
    }

    /// The tree of these files, all of them plain.
    pub fn put_files(&self, files: &[(&str, &[u8])]) -> Oid {
        let entry = |bytes: &[u8]| TreeEntry { oid: self.put_blob(bytes).unwrap(), mode: FileMode::File };
        self.put_tree(files.iter().map(|(path, bytes)| (RepoPath::from(*path), entry(bytes))).collect()).unwrap()
    }

    /// Makes these the files of a tree with an id that the caller chose.
    pub fn put_tree_as(&self, tree: Oid, files: Files) {
        self.trees.lock().unwrap().insert(tree, files);
    }

    pub fn put_tree(&self, files: Files) -> Result<Oid> {
        let listing: String =
            files.iter().map(|(path, entry)| format!("{:o} {} {path:?}\n", entry.mode.raw(), entry.oid)).collect();
        let oid = Oid::hash_object(ObjectType::Blob, listing.as_bytes())?;
        self.trees.lock().unwrap().insert(oid, files);
        Ok(oid)
    }

    pub fn files(&self, tree: Oid) -> Result<Files> {
        self.trees.lock().unwrap().get(&tree).cloned().context("no such tree")
    }
}

fn below(folder: &RepoPath, path: &RepoPath) -> bool {
    path.as_bytes().strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

impl Objects for MemoryObjects {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        self.blobs.lock().unwrap().get(&oid).cloned().context("no such blob")
    }

    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        guardhost_git::changed_lines(before, after)
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        Ok(self.blob(oid)?.len() as u64)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        Ok(self.files(tree)?.get(path).copied())
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        Ok(path.as_bytes().is_empty() || self.files(tree)?.keys().any(|file| below(path, file)))
    }

    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        self.walks.fetch_add(1, Ordering::Relaxed);
        // Bytes of whole paths are in the order of git.
        self.files(tree)?.iter().all(|(path, entry)| visit(path, *entry));
        Ok(())
    }

    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        let prefix = if dir.as_bytes().is_empty() { Vec::new() } else { [dir.as_bytes(), b"/"].concat() };
        let name = |path: &RepoPath| {
            Some(path.as_bytes().strip_prefix(&prefix[..])?.split(|byte| *byte == b'/').next()?.to_vec())
        };
        Ok(self.files(tree)?.keys().filter_map(name).collect())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        ensure!(!self.frozen, "these objects are only read");
        let oid = Oid::hash_object(ObjectType::Blob, bytes)?;
        self.blobs.lock().unwrap().insert(oid, bytes.into());
        Ok(oid)
    }

    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        let blobs = self.blobs.lock().unwrap();
        let mut named = blobs.keys().filter(|oid| prefix.len() >= 7 && oid.to_string().starts_with(prefix));
        Ok(named.next().copied().filter(|_| named.next().is_none()))
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        ensure!(!self.frozen, "these objects are only read");
        let mut files = self.files(tree)?;
        for (path, entry) in edits {
            match entry {
                Some(entry) => files.insert(path.clone(), *entry),
                None => files.remove(path),
            };
        }
        let clash = |path: &RepoPath| files.keys().any(|file| below(path, file));
        ensure!(!files.keys().any(clash), "a file and a folder of one name");
        self.put_tree(files)
    }
}
