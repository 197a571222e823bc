//! The cache of fetched components, and of the manifests that named them. A folder that cannot be used stops nothing: components
//! are then fetched at every run, and [`ComponentCache::trouble`] says so.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::config::Digest;
use guardhost_core::cache::{BoundedFolder, MOST};
use guardhost_core::component::Component;
use guardhost_core::stop::StopToken;

/// Entries: `HEX` of a component, `HEX.manifest` of a manifest.
#[derive(Debug)]
pub struct ComponentCache {
    /// None keeps nothing.
    path: Option<PathBuf>,
    folder: OnceLock<Option<BoundedFolder>>,
    trouble: Mutex<Option<String>>,
}

impl ComponentCache {
    /// Opens nothing yet.
    pub fn new(path: Option<PathBuf>) -> Self {
        ComponentCache { path, folder: OnceLock::new(), trouble: Mutex::default() }
    }

    /// Why components are not kept, for the report; None when nothing went wrong.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The component under this digest, as the disk has it: the caller compares it.
    pub fn component(&self, digest: &Digest) -> Option<Component> {
        self.folder()?.read(digest.hex()).map(Component::from)
    }

    /// The manifest with this digest.
    pub fn manifest(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.folder()?.read(&entry(digest)).filter(|bytes| Digest::of(bytes) == *digest)
    }

    /// Keeps what the caller has verified.
    pub fn keep(&self, component: &Component, manifest: Option<&[u8]>) {
        let Some(folder) = self.folder() else { return };
        let digest = component.digest();
        let kept = folder.put(digest.strip_prefix("sha256:").unwrap_or(digest), &[component.bytes()]);
        let kept = kept.and_then(|()| match manifest {
            Some(manifest) => folder.put(&entry(&Digest::of(manifest)), &[manifest]),
            None => Ok(()),
        });
        if let Err(cause) = kept {
            self.note(&format!("{}: {cause}", folder.path().display()));
        }
    }

    /// Runs `work` while no other process fetches the same component.
    pub fn alone<T>(&self, digest: &Digest, work: impl FnOnce() -> T) -> T {
        match self.folder() {
            Some(folder) => folder.alone(digest.hex(), &StopToken::default(), work),
            None => work(),
        }
    }

    fn folder(&self) -> Option<&BoundedFolder> {
        let open = || {
            let path = self.path.as_deref()?;
            BoundedFolder::open(path, MOST).map_err(|cause| self.note(&format!("{}: {cause}", path.display()))).ok()
        };
        self.folder.get_or_init(open).as_ref()
    }

    fn note(&self, what: &str) {
        let note = format!("fetched guards are not cached, so they are fetched at every run: {what}");
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(note);
    }
}

fn entry(manifest: &Digest) -> String {
    format!("{}.manifest", manifest.hex())
}
