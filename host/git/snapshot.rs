//! The content of the index, as the base of a change.

use std::path::PathBuf;

use super::{Repo, checkout, staged_in};
use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::error::Result;

/// The base of a change to the index: the provider is shown these bytes, and the patch is applied to them.
pub struct Snapshot {
    /// HEAD's commit; None in a repository without one.
    pub commit: Option<Oid>,
    pub head_tree: Oid,
    /// The index's tree, with the adopted file.
    pub tree: Oid,
    pub index: PathBuf,
    /// A file that was taken from the work tree because the index does not hold it.
    pub adopted: Option<RepoPath>,
}

/// The content of the index at `index`. If it lacks `target` and the work tree has it, that file is adopted.
///
/// Errors ([`guardhost_core::error::FaultKind::Git`]): those of [`staged_in`]; `target` is ignored by git, no file, or below a link.
pub fn snapshot(repo: &Repo, index: PathBuf, target: &RepoPath) -> Result<Snapshot> {
    let staged = staged_in(repo, &index)?;
    let store = repo.store();
    let mut snapshot =
        Snapshot { commit: staged.base, head_tree: staged.base_tree, tree: staged.tree, index, adopted: None };
    if store.entry(staged.tree, target)?.is_none()
        && let Some(entry) = checkout::untracked_file(repo, target)?
    {
        snapshot.tree = store.edit_tree(staged.tree, &[(target.clone(), Some(entry))])?;
        snapshot.adopted = Some(target.clone());
    }
    Ok(snapshot)
}
