//! What package registries know of packages: whether one is there, since when, and in how many versions.
//!
//! Guards give names and get facts. Which registry is asked is said by `guards.toml` of the base, or by the settings of this machine's package
//! managers, and never by the change: an address that it could choose would vouch for its own packages. What cannot be found out for certain
//! is not known; a name that may be private is never called missing.

mod addresses;
mod ask;
mod cached;
mod index;
mod machine;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::StopToken;
use guardhost_http::Proxies;
use serde::{Deserialize, Serialize};

use crate::asking::{Timeouts, ask_all};
use addresses::{Addresses, Registry};
pub use addresses::{RegistryAddress, RegistryEcosystem};
use ask::RegistryAsker;
use cached::CachedAnswers;
use index::Found;

/// A package by the name that a manifest gives it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct PackageName {
    /// As facts have it: `npm`.
    pub ecosystem: String,
    pub name: String,
}

/// What is known of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    Published {
        /// Whole days since its first version.
        days: Option<u32>,
        versions: Option<u32>,
    },
    /// The registry would have it, and answers that it has not.
    Missing(String),
    /// The reason why neither can be said.
    Unknown(String),
}

/// Asks registries, and keeps the answers of this run in memory, and those that hold longer in the user's cache.
pub struct Registries {
    process: ProcessEnv,
    named: Vec<RegistryAddress>,
    offline: bool,
    timeouts: Timeouts,
    /// Read when the first guard asks.
    addresses: OnceLock<Addresses>,
    kept: Option<CachedAnswers>,
    known: Mutex<HashMap<(RegistryEcosystem, String), Found>>,
}

impl Registries {
    /// `named`: the addresses of `guards.toml`, which hold instead of the machine's. Nothing is read or asked until a guard asks.
    pub fn new(process: &ProcessEnv, named: Vec<RegistryAddress>, offline: bool) -> Self {
        Registries {
            process: process.clone(),
            named,
            offline,
            timeouts: Timeouts::default(),
            addresses: OnceLock::new(),
            kept: process.cache.as_ref().map(|cache| CachedAnswers { folder: cache.join("registries") }),
            known: Mutex::default(),
        }
    }

    /// With other time-outs, for tests.
    pub fn within(self, timeouts: Timeouts) -> Self {
        Registries { timeouts, ..self }
    }

    /// One answer a package, in order. Blocks, at most for [`Timeouts::all`], or until it is to stop.
    pub fn look_up(&self, packages: &[PackageName], stop: &StopToken) -> Vec<Standing> {
        if self.offline {
            return vec![Standing::Unknown("the host is offline".to_owned()); packages.len()];
        }
        let addresses = self.addresses.get_or_init(|| Addresses::new(&self.named, machine::addresses(&self.process)));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut new = Vec::new();
        for package in packages {
            let Ok((ecosystem, registry)) = addresses.of(package) else { continue };
            let key = (ecosystem, package.name.clone());
            if self.known().contains_key(&key) || new.iter().any(|(known, _)| *known == key) {
                continue;
            }
            match self.kept.as_ref().and_then(|kept| kept.get(registry, &package.name, now)) {
                Some(found) => drop(self.known().insert(key, found)),
                None => new.push((key, registry.clone())),
            }
        }
        self.ask(new, stop, now);
        let known = self.known();
        let standing = |package: &PackageName| match addresses.of(package) {
            Err(why) => Standing::Unknown(why),
            Ok((ecosystem, _)) => match known.get(&(ecosystem, package.name.clone())) {
                Some(found) => found.standing(now),
                None => Standing::Unknown("not asked: the time for this change was up".to_owned()),
            },
        };
        packages.iter().map(standing).collect()
    }

    fn ask(&self, new: Vec<((RegistryEcosystem, String), Registry)>, stop: &StopToken, now: u64) {
        if new.is_empty() {
            return;
        }
        let variable = |name: &str| self.process.var(name).and_then(|value| value.to_str());
        let asker = RegistryAsker::new(new.iter().map(|(_, registry)| registry), &Proxies::from_variables(variable));
        let ask = |((_, name), registry): ((RegistryEcosystem, String), Registry)| {
            let asker = asker.clone();
            async move { asker.ask(&registry, &name).await }
        };
        for ((key, registry), found) in ask_all(new, self.timeouts, stop, ask, Found::Unknown) {
            if let Some(kept) = &self.kept {
                kept.put(&registry, &key.1, &found, now);
            }
            self.known().insert(key, found);
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<(RegistryEcosystem, String), Found>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
