//! The pins of one commit with their components.

use crate::config::{ComponentSource, LockFile, Locked, Pin};
use crate::fetch::RegistryClient;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, LanguageSpec};
use guardhost_git::Repo;

use super::cached_pins::CachedPins;
use super::guard_files::GuardFiles;
use super::recorded::RecordedGuards;
use super::resolve_pins::{language, spec, spec_of};

/// Where the components of pins are found.
pub struct Components<'a> {
    pub pins: &'a [Pin],
    /// Those of languages.
    pub languages: &'a [Pin],
    pub lock: Option<&'a LockFile>,
    pub files: GuardFiles<'a>,
    pub net: &'a RegistryClient,
    pub machine: &'a EngineContext,
}

impl Components<'_> {
    fn locked(&self, pin: &Pin) -> Option<&Locked> {
        self.lock?.get(&pin.id)
    }

    /// Every pin with its component. What this user's host loaded before is not read again.
    ///
    /// # Errors
    /// `Kind::GuardLoad`: a component is not there or cannot be fetched; `Kind::Config`: a lock is missing.
    pub fn specs(&self, repo: &Repo, tree: Oid) -> Result<Vec<GuardSpec>> {
        let is_pinned = self.pins.iter().any(|pin| pin.source != ComponentSource::Builtin);
        let cache = if is_pinned { self.machine.code_cache() } else { None };
        let kept = CachedPins { repo, tree, cache };
        let spec = |pin: &Pin| match kept.source(pin, self.locked(pin))? {
            Some(source) => spec_of(pin, self.locked(pin), source),
            None => spec(pin, self.locked(pin), &self.files, self.net),
        };
        self.pins.iter().map(spec).collect()
    }

    /// Every pinned language with its component.
    ///
    /// # Errors
    /// As [`Components::specs`].
    pub fn languages(&self) -> Result<Vec<LanguageSpec>> {
        let spec = |pin: &Pin| language(pin, self.locked(pin), &self.files, self.net, self.machine.embedded);
        self.languages.iter().map(spec).collect()
    }

    /// The same for a judgement that is repeated, and what cannot be had, by id and reason: another host may not embed a guard, or
    /// may not accept its settings.
    pub fn recorded_specs(&self, recorded: &RecordedGuards) -> (Vec<GuardSpec>, Vec<(String, String)>) {
        let (mut specs, mut unloadable) = (Vec::new(), Vec::new());
        for pin in self.pins {
            let usable = |spec: GuardSpec| GuardSet::new(vec![spec.clone()], self.machine).map(|_| spec);
            match recorded.spec(pin, self.locked(pin), &self.files, self.net).and_then(usable) {
                Ok(spec) => specs.push(spec),
                Err(error) => unloadable.push((pin.id.clone(), format!("{error:#}"))),
            }
        }
        (specs, unloadable)
    }
}
