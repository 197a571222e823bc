//! A repository's objects, as long as the judgement is not to end: what the host reads for a guard may be a whole large tree.

use std::sync::Arc;

use guardhost_core::change::{Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;

/// Files of a walk for one look at the clock, which takes as long as the rest of a file's visit.
const VISITS: u32 = 64;

/// # Errors
/// Every method fails once the token says so.
pub struct Stoppable {
    objects: Arc<dyn Objects>,
    stop: StopToken,
}

impl Stoppable {
    pub fn new(objects: Arc<dyn Objects>, stop: StopToken) -> Self {
        Stoppable { objects, stop }
    }

    fn objects(&self) -> Result<&dyn Objects> {
        self.stop.check().map_err(|stopped| stopped.into_error("reading the repository for a guard"))?;
        Ok(&*self.objects)
    }
}

impl Objects for Stoppable {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        self.objects()?.blob(oid)
    }

    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        self.objects()?.changed_lines(before, after)
    }

    fn blob_size(&self, oid: Oid) -> Result<u64> {
        self.objects()?.blob_size(oid)
    }

    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        self.objects()?.entry(tree, path)
    }

    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        self.objects()?.is_dir(tree, path)
    }

    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        self.objects()?.blob_named(prefix)
    }

    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        let mut visits = 0_u32;
        self.objects()?.walk(tree, &mut |path, entry| {
            visits = visits.wrapping_add(1);
            let goes_on = !visits.is_multiple_of(VISITS) || self.stop.check().is_ok();
            goes_on && visit(path, entry)
        })?;
        // A walk that was cut short has not seen everything.
        self.objects().map(drop)
    }

    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        self.objects()?.names(tree, dir)
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        self.objects()?.put_blob(bytes)
    }

    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        self.objects()?.edit_tree(tree, edits)
    }
}
