//! What a patch is placed on.

use std::sync::Arc;

use guardhost_core::change::{FileMode, Oid, RepoPath, Tree};
use guardhost_core::error::Result;

/// The tree that a patch shall change.
#[derive(Clone)]
pub struct ApplyBase {
    /// The commit that `tree` belongs to; None in a repository without commits.
    pub base: Option<Oid>,
    pub tree: Tree,
    /// The tree whose files the provider was shown, where the base has moved on since.
    pub shown: Option<Tree>,
}

impl ApplyBase {
    /// The content that the patch for `path` was made from, where the tree now holds another: what the provider was shown,
    /// else what the patch itself claims, when the repository has such a blob.
    pub(super) fn shown_content(&self, path: &RepoPath, claims: Option<&str>) -> Result<Option<Arc<[u8]>>> {
        let Tree { objects, oid } = &self.tree;
        let Some(now) = objects.entry(*oid, path)? else { return Ok(None) };
        if let Some(Tree { objects, oid }) = &self.shown
            && let Some(entry) = objects.entry(*oid, path)?
            && entry.mode != FileMode::Submodule
        {
            return if entry.oid == now.oid { Ok(None) } else { objects.blob(entry.oid).map(Some) };
        }
        match claims.map(|claims| objects.blob_named(claims)).transpose()?.flatten() {
            Some(blob) if blob != now.oid => objects.blob(blob).map(Some),
            _ => Ok(None),
        }
    }
}
