//! From the entries to a candidate: one tree, and what differs from the base.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Bytes, PathEntry, TreeBuilder};
use crate::apply::Attempt;
use guardhost_core::change::{
    Blob, Candidate, ChangeType, FileChange, FileMode, Misfit, Oid, Patch, RepoPath, Strategy, TreeEntry,
};
use guardhost_core::error::Result;

type TreeEdit = (RepoPath, Option<TreeEntry>);

impl TreeBuilder<'_> {
    /// All files, or every misfit.
    pub fn build(mut self, patch: &Patch) -> Result<Result<Attempt, Misfit>> {
        if !self.misfits.is_empty() {
            return Ok(Err(Misfit { at: self.misfits }));
        }
        let tree = &self.base.tree;
        let mut sets: Vec<TreeEdit> = Vec::new();
        let mut removals: Vec<TreeEdit> = Vec::new();
        let mut files = Vec::new();
        let renamed = self.renamed();
        for (path, entry) in &self.entries {
            self.watch.checkpoint();
            let before = tree.objects.entry(tree.oid, path)?;
            let after = match &entry.content {
                Some(content) => {
                    let oid = match &content.bytes {
                        Bytes::Stored(oid) => *oid,
                        Bytes::Made(bytes) => tree.objects.put_blob(bytes)?,
                    };
                    Some(TreeEntry { oid, mode: content.mode })
                }
                None => None,
            };
            match after {
                Some(_) if after == before && entry.origin.is_none() => continue,
                None if before.is_none() => continue,
                Some(_) => sets.push((path.clone(), after)),
                None => removals.push((path.clone(), None)),
            }
            if after.is_some() || !renamed.contains(path) {
                files.push(self.change(path, entry, before, after)?);
            }
        }
        let oid = if files.is_empty() {
            self.strategy = Some(Strategy::AlreadyApplied);
            tree.oid
        } else {
            self.edit_tree(sets, removals)?
        };
        let candidate = Candidate {
            base: self.base.base,
            base_tree: tree.oid,
            tree: oid,
            files,
            strategy: self.strategy.or(Some(Strategy::Exact)),
            notes: patch.notes.iter().cloned().chain(self.notes).collect(),
            message: patch.message.clone(),
            commits: Vec::new(),
            objects: Arc::clone(&tree.objects),
        };
        Ok(Ok(Attempt { candidate, is_verbatim: self.is_verbatim }))
    }

    /// The old paths of renamed files: they are no deletions.
    fn renamed(&self) -> HashSet<&RepoPath> {
        (self.entries.values())
            .filter(|entry| entry.content.is_some())
            .filter_map(|entry| entry.origin.as_ref())
            .filter_map(|(from, how)| (*how == ChangeType::Rename).then_some(from))
            .collect()
    }

    fn edit_tree(&self, sets: Vec<TreeEdit>, removals: Vec<TreeEdit>) -> Result<Oid> {
        let tree = &self.base.tree;
        let is_below = |path: &RepoPath, folder: &RepoPath| {
            path.as_bytes().strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
        };
        let is_below_removed = |path: &RepoPath| removals.iter().any(|(removed, _)| is_below(path, removed));
        if sets.iter().any(|(path, _)| is_below_removed(path)) {
            // A directory replaces a file, which has to be removed first.
            let cleared = tree.objects.edit_tree(tree.oid, &removals)?;
            tree.objects.edit_tree(cleared, &sets)
        } else {
            tree.objects.edit_tree(tree.oid, &[removals, sets].concat())
        }
    }

    fn change(
        &self,
        path: &RepoPath,
        entry: &PathEntry,
        before: Option<TreeEntry>,
        after: Option<TreeEntry>,
    ) -> Result<FileChange> {
        let objects = &self.base.tree.objects;
        let (old_path, change_type, source) = match (&entry.origin, before, after) {
            (Some((from, how)), _, Some(_)) => (Some(from.clone()), *how, objects.entry(self.base.tree.oid, from)?),
            (_, None, _) => (None, ChangeType::Add, None),
            (_, Some(_), None) => (None, ChangeType::Delete, before),
            (_, Some(_), Some(_)) => (None, ChangeType::Modify, before),
        };
        Ok(FileChange {
            path: path.clone(),
            old_path,
            change_type,
            before: self.blob(source)?,
            after: self.blob(after)?,
        })
    }

    fn blob(&self, entry: Option<TreeEntry>) -> Result<Option<Blob>> {
        let Some(TreeEntry { oid, mode }) = entry else { return Ok(None) };
        let size = if mode == FileMode::Submodule { 0 } else { self.base.tree.objects.blob_size(oid)? };
        Ok(Some(Blob { oid, mode, size }))
    }
}
