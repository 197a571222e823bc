//! A repository's objects without a repository.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, RwLock};

use host::change::{Blob, Candidate, ChangeType, Entry, FileChange, FileMode, Objects, Oid, RepoPath};
use host::error::{Context, Result};

type Files = BTreeMap<RepoPath, Entry>;

#[derive(Default)]
pub struct Memory {
    blobs: RwLock<HashMap<Oid, Arc<[u8]>>>,
    trees: RwLock<HashMap<Oid, Files>>,
}

impl Memory {
    pub fn tree(&self, files: &[(&str, &[u8])]) -> Oid {
        let entry = |bytes: &[u8]| Entry { oid: self.put_blob(bytes).unwrap(), mode: FileMode::File };
        self.keep(files.iter().map(|(path, bytes)| ((*path).into(), entry(bytes))).collect())
    }

    /// Named by its listing: all that matters is that equal trees have equal names.
    fn keep(&self, files: Files) -> Oid {
        let oid = Oid::hash_object(git2::ObjectType::Blob, format!("{files:?}").as_bytes()).unwrap();
        self.trees.write().unwrap().insert(oid, files);
        oid
    }

    fn files(&self, tree: Oid) -> Result<Files> {
        self.trees.read().unwrap().get(&tree).cloned().context("no such tree")
    }
}

impl Objects for Memory {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        self.blobs.read().unwrap().get(&oid).cloned().context("no such blob")
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        Ok(self.blob(oid)?.len() as u64)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<Entry>> {
        Ok(self.files(tree)?.get(path).copied())
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        let below = [path.as_bytes(), b"/"].concat();
        Ok(path.as_bytes().is_empty() || self.files(tree)?.keys().any(|file| file.as_bytes().starts_with(&below)))
    }

    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, Entry) -> bool) -> Result<()> {
        self.files(tree)?.iter().all(|(path, entry)| visit(path, *entry));
        Ok(())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        let oid = Oid::hash_object(git2::ObjectType::Blob, bytes)?;
        self.blobs.write().unwrap().insert(oid, bytes.into());
        Ok(oid)
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<Entry>)]) -> Result<Oid> {
        let mut files = self.files(tree)?;
        for (path, entry) in edits {
            match entry {
                Some(entry) => files.insert(path.clone(), *entry),
                None => files.remove(path),
            };
        }
        Ok(self.keep(files))
    }
}

/// The change from one set of files to another; renames are told as a deletion and an addition.
pub fn candidate(before: &[(&str, &[u8])], after: &[(&str, &[u8])]) -> Candidate {
    let objects = Arc::new(Memory::default());
    let (base_tree, tree) = (objects.tree(before), objects.tree(after));
    let (old, new) = (objects.files(base_tree).unwrap(), objects.files(tree).unwrap());
    let blob = |entry: Option<&Entry>| {
        entry.map(|entry| Blob { oid: entry.oid, mode: entry.mode, size: objects.blob_size(entry.oid).unwrap() })
    };
    let mut paths: Vec<&RepoPath> = old.keys().chain(new.keys()).collect();
    paths.sort();
    paths.dedup();
    let files = paths.into_iter().filter(|path| old.get(*path) != new.get(*path)).map(|path| FileChange {
        path: path.clone(),
        old_path: None,
        change_type: match (old.get(path), new.get(path)) {
            (None, _) => ChangeType::Add,
            (_, None) => ChangeType::Delete,
            _ => ChangeType::Modify,
        },
        before: blob(old.get(path)),
        after: blob(new.get(path)),
        lines_added: 0,
        lines_deleted: 0,
    });
    Candidate {
        base: None,
        base_tree,
        tree,
        files: files.collect(),
        strategy: None,
        notes: Vec::new(),
        message: None,
        objects: objects.clone(),
    }
}
