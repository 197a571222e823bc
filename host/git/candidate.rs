//! A candidate from two trees.

use super::{Repo, diff};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::Result;

/// What turns the tree `old` into `new`, on top of the commit `base`.
pub fn candidate(repo: &Repo, base: Option<Oid>, old: Oid, new: Oid) -> Result<Candidate> {
    let store = repo.store();
    let files = diff::between(&store.handle(), old, new)?;
    Ok(Candidate {
        base,
        base_tree: old,
        tree: new,
        files,
        strategy: None,
        notes: Vec::new(),
        message: None,
        objects: store,
    })
}
