//! The guards of a judgement that is repeated: those of the same rules, compared with what is recorded instead of with the lock.

use std::collections::BTreeMap;

use crate::config::{ComponentSource, Locked, Pin};
use crate::fetch::RegistryClient;
use guardhost_core::component::Component;
use guardhost_core::error::Result;
use guardhost_core::renamed_guards::former_id;
use guardhost_engine::{GuardSource, GuardSpec};

use super::guard_files::GuardFiles;
use super::policy::Policy;
use super::resolve_pins::{component, spec_of};

/// What is recorded of the guards that judged.
#[derive(Debug, Clone, Default)]
pub struct RecordedGuards {
    /// Which guards judged is not known: all that the rules have are meant.
    pub all: bool,
    /// Their ids, each with the digest of its component, or an empty text where the judgement did not have to know it.
    pub digests: BTreeMap<String, String>,
    /// Components that came with the record, by their digests.
    pub components: BTreeMap<String, Component>,
}

/// The rules of then with the guards of now.
pub struct RecordedPolicy {
    pub policy: Policy,
    /// Recorded guards that cannot be had, each with the reason. A guard that the rules do not have is in neither list.
    pub unloadable: Vec<(String, String)>,
}

impl RecordedGuards {
    /// The pins that judged.
    pub fn judged(&self, pin: &Pin) -> bool {
        self.all || self.digest(&pin.id).is_some()
    }

    /// The guard may have had another id then.
    fn digest(&self, id: &str) -> Option<&String> {
        self.digests.get(id).or_else(|| self.digests.get(former_id(id)?))
    }

    /// The pin with the component that the record names, wherever it is. Other bytes of it are not run, except those that this host embeds:
    /// who replays trusts them anyway, and wants to know what they say.
    pub fn spec(
        &self,
        pin: &Pin,
        locked: Option<&Locked>,
        files: &GuardFiles,
        net: &RegistryClient,
    ) -> Result<GuardSpec> {
        let digest = self.digest(&pin.id).filter(|digest| !digest.is_empty());
        if pin.source == ComponentSource::Builtin {
            let spec = spec_of(pin, locked, GuardSource::Builtin)?;
            return Ok(GuardSpec { expected_digest: None, expected_version: None, ..spec });
        }
        let origin = pin.source.to_string();
        let bytes = match digest.and_then(|digest| self.components.get(digest)) {
            Some(component) => component.clone(),
            None => component(pin, locked, files, net)?,
        };
        let spec = spec_of(pin, locked, GuardSource::Bytes { bytes, origin })?;
        Ok(GuardSpec { expected_digest: digest.cloned().or(spec.expected_digest.clone()), ..spec })
    }
}
