//! The index as it is now, as something to base a change on.

use std::path::PathBuf;

use super::{Repo, place, staged_in};
use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::error::Result;

/// What a change to the index is made for, shown as, and placed on: the same bytes for all three.
pub struct Snapshot {
    /// HEAD's commit; None in a repository without one.
    pub commit: Option<Oid>,
    pub head_tree: Oid,
    /// The index's tree, and in it the file that was adopted.
    pub tree: Oid,
    pub index: PathBuf,
    /// A file that only the work tree has.
    pub adopted: Option<RepoPath>,
}

/// What the index at `index` holds. If it does not hold `target` and the work tree does, that file is adopted.
///
/// Errors ([`guardhost_core::error::Kind::Git`]): as of [`staged_in`]; `target` is ignored by git, no file, or below a link.
pub fn snapshot(repo: &Repo, index: PathBuf, target: &RepoPath) -> Result<Snapshot> {
    let staged = staged_in(repo, &index)?;
    let store = repo.store();
    let mut snapshot =
        Snapshot { commit: staged.base, head_tree: staged.base_tree, tree: staged.tree, index, adopted: None };
    if store.entry(staged.tree, target)?.is_none()
        && let Some(entry) = place::standing(repo, target)?
    {
        snapshot.tree = store.edit_tree(staged.tree, &[(target.clone(), Some(entry))])?;
        snapshot.adopted = Some(target.clone());
    }
    Ok(snapshot)
}
