//! A candidate from two trees.

use super::{Repo, tree_diff};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;

/// The change that turns the tree `old` into `new`. `base` is the commit that it is made for.
pub fn candidate(repo: &Repo, base: Option<Oid>, old: Oid, new: Oid) -> Result<Candidate> {
    let store = repo.store();
    let files = tree_diff::changed_files(&store.handle(), old, new)?;
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
