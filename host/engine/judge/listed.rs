//! A repository's objects, with the files of one tree listed once: an audit makes some hundred searches of the same tree.

use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::{Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;

type Listing = Arc<[(RepoPath, TreeEntry)]>;

pub struct ListedFindings {
    objects: Arc<dyn Objects>,
    tree: Oid,
    /// Made by the first walk, while the others wait.
    listing: Mutex<Option<Listing>>,
}

impl ListedFindings {
    pub fn new(objects: Arc<dyn Objects>, tree: Oid) -> Self {
        ListedFindings { objects, tree, listing: Mutex::default() }
    }

    fn listing(&self) -> Result<Listing> {
        let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = &*listing {
            return Ok(listing.clone());
        }
        let mut files = Vec::new();
        self.objects.walk(self.tree, &mut |path, entry| {
            files.push((path.clone(), entry));
            true
        })?;
        Ok(listing.insert(files.into()).clone())
    }
}

impl Objects for ListedFindings {
    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        if tree != self.tree {
            return self.objects.walk(tree, visit);
        }
        self.listing()?.iter().all(|(path, entry)| visit(path, *entry));
        Ok(())
    }

    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        self.objects.blob(oid)
    }

    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        self.objects.changed_lines(before, after)
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        self.objects.blob_size(oid)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        self.objects.entry(tree, path)
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        self.objects.is_dir(tree, path)
    }

    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        self.objects.blob_named(prefix)
    }

    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        self.objects.names(tree, dir)
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        self.objects.put_blob(bytes)
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        self.objects.edit_tree(tree, edits)
    }
}
