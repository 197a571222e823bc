//! A draft becomes a candidate: one tree, and what differs.

use std::sync::Arc;

use super::draft::{Draft, Slot};
use guardhost_core::change::{
    Blob, Candidate, ChangeType, FileChange, FileMode, Misfit, Patch, RepoPath, Strategy, TreeEntry,
};
use guardhost_core::error::Result;
use guardhost_git::changed_lines;

impl Draft<'_> {
    /// Everything at once, or every misfit.
    pub fn seal(mut self, patch: &Patch) -> Result<Result<Candidate, Misfit>> {
        if !self.misfits.is_empty() {
            return Ok(Err(Misfit { at: self.misfits }));
        }
        let tree = &self.ground.tree;
        let mut sets = Vec::new();
        let mut removals = Vec::new();
        let mut files = Vec::new();
        let moved: Vec<RepoPath> = (self.files.values())
            .filter(|slot| slot.content.is_some())
            .filter_map(|slot| slot.origin.clone())
            .filter_map(|(from, how)| (how == ChangeType::Rename).then_some(from))
            .collect();
        for (path, slot) in &self.files {
            let before = tree.objects.entry(tree.oid, path)?;
            let after = match &slot.content {
                Some(content) => Some(TreeEntry { oid: tree.objects.put_blob(&content.bytes)?, mode: content.mode }),
                None => None,
            };
            match after {
                Some(_) if after == before && slot.origin.is_none() => continue,
                None if before.is_none() => continue,
                Some(_) => sets.push((path.clone(), after)),
                None => removals.push((path.clone(), None)),
            }
            if after.is_some() || !moved.contains(path) {
                files.push(self.change(path, slot, before, after)?);
            }
        }
        let below_removed = |path: &RepoPath| {
            removals.iter().any(|(gone, _): &(RepoPath, _)| {
                path.as_bytes().strip_prefix(gone.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
            })
        };
        let oid = if files.is_empty() {
            self.strategy = Some(Strategy::AlreadyApplied);
            tree.oid
        } else if sets.iter().any(|(path, _)| below_removed(path)) {
            // A directory takes the place of a file: it has to be gone first.
            let cleared = tree.objects.edit_tree(tree.oid, &removals)?;
            tree.objects.edit_tree(cleared, &sets)?
        } else {
            tree.objects.edit_tree(tree.oid, &[removals, sets].concat())?
        };
        Ok(Ok(Candidate {
            base: self.ground.base,
            base_tree: tree.oid,
            tree: oid,
            files,
            strategy: self.strategy.or(Some(Strategy::Exact)),
            notes: patch.notes.iter().cloned().chain(self.notes).collect(),
            message: patch.message.clone(),
            objects: Arc::clone(&tree.objects),
        }))
    }

    fn change(
        &self,
        path: &RepoPath,
        slot: &Slot,
        before: Option<TreeEntry>,
        after: Option<TreeEntry>,
    ) -> Result<FileChange> {
        let objects = &self.ground.tree.objects;
        let (old_path, change_type, source) = match (&slot.origin, before, after) {
            (Some((from, how)), _, Some(_)) => (Some(from.clone()), *how, objects.entry(self.ground.tree.oid, from)?),
            (_, None, _) => (None, ChangeType::Add, None),
            (_, Some(_), None) => (None, ChangeType::Delete, before),
            (_, Some(_), Some(_)) => (None, ChangeType::Modify, before),
        };
        let old = self.bytes(source)?;
        let new = self.bytes(after)?;
        let (lines_added, lines_deleted) = changed_lines(&old, &new)?;
        let blob = |entry: Option<TreeEntry>, size: usize| {
            entry.map(|TreeEntry { oid, mode }| Blob { oid, mode, size: size as u64 })
        };
        Ok(FileChange {
            path: path.clone(),
            old_path,
            change_type,
            before: blob(source, old.len()),
            after: blob(after, new.len()),
            lines_added,
            lines_deleted,
        })
    }

    fn bytes(&self, entry: Option<TreeEntry>) -> Result<Arc<[u8]>> {
        match entry {
            Some(entry) if entry.mode != FileMode::Submodule => self.ground.tree.objects.blob(entry.oid),
            _ => Ok(Arc::from([])),
        }
    }
}
