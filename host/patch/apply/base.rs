//! What a patch is placed on.

use std::sync::Arc;

use guardhost_core::change::{FileMode, Oid, RepoPath, Tree};
use guardhost_core::error::Result;

/// The tree that a patch changes.
#[derive(Clone)]
pub struct ApplyBase {
    /// The commit that `tree` belongs to; None in a repository without commits.
    pub base: Option<Oid>,
    pub tree: Tree,
    /// The tree that the provider saw, where `tree` has moved on since.
    pub seen_by_provider: Option<Tree>,
}

impl ApplyBase {
    /// The provider saw `tree` itself.
    pub fn new(base: Option<Oid>, tree: Tree) -> Self {
        ApplyBase { base, tree, seen_by_provider: None }
    }

    /// The blob that the provider saw at `path`, where it saw another tree.
    pub(super) fn seen_oid(&self, path: &RepoPath) -> Result<Option<Oid>> {
        let Some(Tree { objects, oid }) = &self.seen_by_provider else { return Ok(None) };
        Ok(objects.entry(*oid, path)?.filter(|entry| entry.mode != FileMode::Submodule).map(|entry| entry.oid))
    }

    /// The content that the patch for `path` was made from, where `tree` now holds another: what the provider saw, else the
    /// blob that the patch claims, when the repository has it.
    pub(super) fn seen_content(&self, path: &RepoPath, claimed_blob: Option<&str>) -> Result<Option<Arc<[u8]>>> {
        let Tree { objects, oid } = &self.tree;
        let Some(now) = objects.entry(*oid, path)? else { return Ok(None) };
        if let Some(Tree { objects, oid }) = &self.seen_by_provider
            && let Some(entry) = objects.entry(*oid, path)?
            && entry.mode != FileMode::Submodule
        {
            return if entry.oid == now.oid { Ok(None) } else { objects.blob(entry.oid).map(Some) };
        }
        match claimed_blob.map(|blob| objects.blob_named(blob)).transpose()?.flatten() {
            Some(blob) if blob != now.oid => objects.blob(blob).map(Some),
            _ => Ok(None),
        }
    }
}
