//! Measurements between runs: files of the user's cache, each proven by the user's key to be what this user's host wrote.
//!
//! Only those of analyzers that look at nothing but the tree: the same component with the same settings says the same of the same tree. What
//! builds, tests, the network or the records say is measured each time, and so is whatever failed.

use std::path::PathBuf;
use std::sync::OnceLock;

use guardhost_core::audit::{Measurement, Point};
use guardhost_core::cache::BoundedFolder;
use guardhost_core::change::Oid;
use serde::{Deserialize, Serialize};

use crate::grant::Capability;
use crate::load::authenticated::Authenticated;
use crate::set::{Guard, GuardSet};

/// Bytes of all entries together: those of some ten thousand trees.
const MOST: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
enum MeasurementEntry {
    Measured(Vec<Point>),
    NotMeasured(String),
}

pub struct MeasurementCache {
    folder: Option<PathBuf>,
    fingerprint: &'static str,
    /// Opened when it is first needed. A folder that cannot be used only costs time.
    cache: OnceLock<Option<Authenticated>>,
}

impl MeasurementCache {
    pub fn new(set: &GuardSet) -> Self {
        let (folder, fingerprint) = (set.machine.measured_dir.clone(), set.machine.embedded.fingerprint);
        MeasurementCache { folder, fingerprint, cache: OnceLock::new() }
    }

    pub fn get(&self, name: Option<&str>) -> Option<Measurement> {
        match serde_json::from_slice(&self.cache()?.get(name?)?).ok()? {
            MeasurementEntry::Measured(points) => Some(Measurement::Measured(points)),
            MeasurementEntry::NotMeasured(why) => Some(Measurement::NotMeasured(why)),
        }
    }

    /// That it cannot be kept is no error.
    pub fn put(&self, name: Option<&str>, measurement: &Measurement) {
        let entry = match measurement {
            Measurement::Measured(points) => MeasurementEntry::Measured(points.clone()),
            Measurement::NotMeasured(why) => MeasurementEntry::NotMeasured(why.clone()),
            Measurement::Failed { .. } => return,
        };
        if let (Some(name), Some(cache), Ok(bytes)) = (name, self.cache(), serde_json::to_vec(&entry)) {
            let _ = cache.put(name, &bytes);
        }
    }

    fn cache(&self) -> Option<&Authenticated> {
        let open = || {
            let folder = BoundedFolder::open(self.folder.as_deref()?, MOST).ok()?;
            Authenticated::new(folder.for_many(), self.fingerprint).ok()
        };
        self.cache.get_or_init(open).as_ref()
    }
}

/// Everything that decides a measurement. None when something else than the tree does.
pub fn name(guard: &Guard, metric: &str, tree: Oid) -> Option<String> {
    let sees_the_tree_alone = |capability: &Capability| match capability {
        Capability::Repo | Capability::Facts | Capability::Modules => true,
        Capability::Commits
        | Capability::Net
        | Capability::Registry
        | Capability::Toolchain
        | Capability::History
        | Capability::Model => false,
    };
    let grants = guard.grants.capabilities();
    let (digest, grants_as_pinned) = (guard.digest(), &guard.spec.grants);
    grants.iter().all(sees_the_tree_alone).then(|| {
        let settings = &guard.settings;
        format!("{metric} {tree} {digest} {grants_as_pinned:?} {settings}")
    })
}
