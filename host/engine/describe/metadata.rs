//! A guard's metadata, for listings and diagnoses.

use serde_json::{Value, json};

use crate::describe::Description;
use crate::describe::identity::Identity;
use crate::failure::GuardFailure;
use crate::limits::Limits;
use crate::load::component_interface::ComponentInterface;
use crate::set::{GuardSet, GuardSpec};
use guardhost_core::component::Component;
use guardhost_core::error::Result;

#[derive(Debug, Clone)]
pub struct GuardMetadata<'a> {
    pub description: &'a Description,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: usize,
    /// Bare names of the interfaces that the component imports, those that every guard gets included.
    pub imports: Vec<String>,
    /// Names of its exports.
    pub exports: Vec<String>,
}

impl GuardSet {
    /// Loads the guard if it is not loaded. None when no guard has this id.
    pub fn about(&self, id: &str) -> Option<Result<GuardMetadata<'_>, GuardFailure>> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        let about = || {
            guard.load(self)?;
            let Identity { digest, size, surface } = guard.identity()?;
            let ComponentInterface { imports, exports } = surface;
            Ok(GuardMetadata { description: guard.description(self)?, digest, size, imports, exports })
        };
        Some(about())
    }

    /// Of the bytes that will run. None when no guard has this id.
    pub fn digest(&self, id: &str) -> Option<&str> {
        Some(self.guards.iter().find(|guard| guard.spec.id == id)?.digest())
    }

    /// What the pin says that decides what the guard sees and may do, beside its component. None when no guard has this id.
    pub fn pin(&self, id: &str) -> Option<Value> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        let GuardSpec { grants, include, exclude, limits: Limits { fuel, memory, seconds }, settings, .. } =
            &guard.spec;
        Some(json!({
            "settings": settings,
            "grants": grants,
            "include": include,
            "exclude": exclude,
            "limits": { "fuel": fuel, "memory": memory, "seconds": seconds },
        }))
    }

    /// The guard's own version, if it is known without loading the guard.
    pub fn known_version(&self, id: &str) -> Option<&str> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        guard.known().map(|outline| &*outline.version)
    }

    /// A guard's component, read if it was not; None when no guard has this id, or it is embedded.
    pub fn component(&self, id: &str) -> Option<Result<Component>> {
        self.guards.iter().find(|guard| guard.spec.id == id)?.pinned()
    }

    /// Loads and compiles nothing. None when no guard has this id.
    pub fn identity(&self, id: &str) -> Option<Result<Identity, GuardFailure>> {
        Some(self.guards.iter().find(|guard| guard.spec.id == id)?.identity())
    }
}
