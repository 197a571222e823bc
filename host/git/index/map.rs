//! A file of the git directory, mapped for reading.

use std::ops::Deref;
use std::path::Path;

/// Unmapped when it is dropped.
pub(in super::super) struct IndexMap(guardhost_os::Map);

impl IndexMap {
    /// None: no such file, no regular file, an empty one, or the system cannot map it.
    pub fn open(path: &Path) -> Option<Self> {
        // SAFETY: Git and libgit2 never write into an index but replace it by another file, and they map it themselves; so did the library
        // that decoded it here.
        unsafe { guardhost_os::Map::open(path) }.map(IndexMap)
    }
}

impl Deref for IndexMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
