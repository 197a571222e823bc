//! Where the entries of one change lie.

use std::path::Path;
use std::sync::Arc;

use super::entry::{self, VerdictEntry};
use super::{MOST, SharedEntry, SharedVerdicts};
use crate::load::authenticated::Authenticated;
use guardhost_core::cache::BoundedFolder;

/// The entries, and what wrote them.
pub struct VerdictFile {
    place: VerdictStore,
    name: String,
    pub entries: Vec<VerdictEntry>,
}

enum VerdictStore {
    User(Authenticated),
    Fleet(Arc<dyn SharedVerdicts>),
}

impl VerdictFile {
    /// None where the folder cannot be used.
    pub fn for_user(folder: &Path, name: String, fingerprint: &'static str) -> Option<Self> {
        let folder = BoundedFolder::open(folder, MOST).ok()?;
        let cache = Authenticated::new(folder.for_many(), fingerprint).ok()?;
        let entries = cache.get(&name).map_or_else(Vec::new, |bytes| entry::read(&bytes));
        Some(VerdictFile { place: VerdictStore::User(cache), name, entries })
    }

    pub fn for_fleet(shared: &Arc<dyn SharedVerdicts>, name: String) -> Self {
        let read = |sealed: SharedEntry| entry::read(&sealed.bytes).pop().map(|entry| entry.sealed(sealed));
        let entries = shared.get(&name).into_iter().filter_map(read).collect();
        VerdictFile { place: VerdictStore::Fleet(Arc::clone(shared)), name, entries }
    }

    pub fn write(&self, entries: &[VerdictEntry]) {
        match &self.place {
            VerdictStore::User(cache) => {
                let _ = cache.put(&self.name, &entry::write(entries));
            }
            VerdictStore::Fleet(shared) => {
                let kept: Vec<&SharedEntry> = entries.iter().filter_map(|entry| entry.sealed.as_ref()).collect();
                let new = entries.iter().filter(|entry| entry.sealed.is_none());
                let new: Vec<Vec<u8>> = new.map(|entry| entry::write(std::slice::from_ref(entry))).collect();
                shared.put(&self.name, &new, &kept);
            }
        }
    }
}
