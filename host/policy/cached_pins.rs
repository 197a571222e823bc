//! Pinned components that need not be read: this user's host loaded the same bytes before, and kept what it found out beside their
//! compiled code.
//!
//! The bytes that run are still those that were pinned. An entry of the cache is found by the digest that the lock or the pin names, and
//! authenticated; and the file that the base commit has must be the git blob that bytes of this digest make. Anything else is read
//! and hashed.

use std::sync::Arc;

use crate::config::{ComponentSource, Locked, Pin};
use guardhost_core::change::{Objects, Oid};
use guardhost_core::component::Component;
use guardhost_core::error::Result;
use guardhost_engine::{CachedComponent, CodeCache, GuardSource, ReadComponent};
use guardhost_git::{Repo, Store};

use super::guard_files::{in_repository, through_link};
use super::resolve_pins::{limits, vendored};

/// Where pins of a base commit are looked up.
pub struct CachedPins<'a> {
    pub repo: &'a Repo,
    /// Of the base commit.
    pub tree: Oid,
    /// None: there is none that can be used.
    pub cache: Option<CodeCache>,
}

impl CachedPins<'_> {
    /// None: the component has to be read.
    pub fn source(&self, pin: &Pin, locked: Option<&Locked>) -> Result<Option<GuardSource>> {
        let expected = locked.map(|locked| &locked.digest).or(pin.digest.as_ref());
        let (Some(expected), Some(cache)) = (expected, &self.cache) else { return Ok(None) };
        let path = match &pin.source {
            ComponentSource::Builtin => return Ok(None),
            ComponentSource::Path(path) => path.clone(),
            ComponentSource::Https(_) | ComponentSource::Oci(_) => vendored(&pin.id),
        };
        let store = self.repo.store();
        let path = in_repository(&path);
        // Such a path is refused where the component is read.
        if through_link(&*store, self.tree, &path)?.is_some() {
            return Ok(None);
        }
        let entry = store.entry(self.tree, &path)?;
        let Some(component) = cache.described(expected.as_str()) else { return Ok(None) };
        if !component.record.used.fits(&limits(&pin.limits)) {
            return Ok(None);
        }
        // What the commit does not have is read where it was fetched to: the manifest that the lock names is compared there.
        let Some(entry) = entry.filter(|entry| entry.oid.to_string() == component.record.blob) else { return Ok(None) };
        Ok(Some(source(component, pin, from_store(store, entry.oid))))
    }
}

fn source(component: CachedComponent, pin: &Pin, read: ReadComponent) -> GuardSource {
    GuardSource::Kept { component, origin: pin.source.to_string(), read }
}

fn from_store(store: Arc<Store>, oid: Oid) -> ReadComponent {
    ReadComponent::new(move || Ok(Component::from(store.blob(oid)?)))
}
