//! A candidate from two trees.

use super::repo::empty_tree;
use super::{Repo, tree_diff};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;

/// A tree as it stands, for those who look at no change: both sides are the tree, and every file of it counts as touched.
pub fn whole_tree(repo: &Repo, tree: Oid) -> Result<Candidate> {
    Ok(Candidate { base_tree: tree, ..candidate(repo, None, empty_tree()?, tree)? })
}

/// The change that turns the tree `old` into `new`. `base` is the commit that it is made for.
pub fn candidate(repo: &Repo, base: Option<Oid>, old: Oid, new: Oid) -> Result<Candidate> {
    let store = repo.store();
    let handle = store.handle();
    // The sizes of all files that differ are read: they are fetched together where one is missing.
    let differing = || tree_diff::blobs(&handle, old, new).unwrap_or_default();
    let files = store.missing().retrying(&handle, differing, || tree_diff::changed_files(&handle, old, new))?;
    drop(handle);
    Ok(Candidate {
        base,
        base_tree: old,
        tree: new,
        files,
        strategy: None,
        notes: Vec::new(),
        message: None,
        commits: Vec::new(),
        objects: store,
    })
}
