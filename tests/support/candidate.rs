//! A candidate without a repository.

use std::sync::Arc;

use guardhost_core::change::{Blob, Candidate, ChangeType, FileChange, Objects, RepoPath, TreeEntry};

use super::objects::MemoryObjects;

/// The change from one set of files to another; a rename is a deletion and an addition.
pub fn candidate(before: &[(&str, &[u8])], after: &[(&str, &[u8])]) -> Candidate {
    let objects = Arc::new(MemoryObjects::default());
    let (base_tree, tree) = (objects.put_files(before), objects.put_files(after));
    let (old, new) = (objects.files(base_tree).unwrap(), objects.files(tree).unwrap());
    let blob = |entry: Option<&TreeEntry>| {
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
    });
    Candidate {
        base: None,
        base_tree,
        tree,
        files: files.collect(),
        strategy: None,
        notes: Vec::new(),
        message: None,
        commits: Vec::new(),
        objects: objects.clone(),
    }
}
