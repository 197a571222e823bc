//! A guard's metadata, for listings and diagnoses.

use serde_json::{Value, json};

use crate::describe::Description;
use crate::describe::identity::Identity;
use crate::failure::GuardFailure;
use crate::limits::Limits;
use crate::load::component_interface::ComponentInterface;
use crate::readers::LanguageSpec;
use crate::set::{Guard, GuardSet, GuardSpec};
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

    /// Of the bytes that will run, of a guard or a language. None when none has this id.
    pub fn digest(&self, id: &str) -> Option<&str> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id).map(Guard::digest);
        guard.or_else(|| self.languages.get(id).map(LanguageSpec::digest))
    }

    /// What the pin says that decides what the guard sees and may do, beside its component. None when no guard has this id.
    pub fn pin(&self, id: &str) -> Option<Value> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        let GuardSpec { grants, include, exclude, limits: Limits { fuel, memory, seconds }, settings, folders, .. } =
            &guard.spec;
        let mut pin = json!({
            "settings": settings,
            "grants": grants,
            "include": include,
            "exclude": exclude,
            "limits": { "fuel": fuel, "memory": memory, "seconds": seconds },
        });
        if !folders.is_everything() {
            let without: Vec<String> = folders.without.iter().map(ToString::to_string).collect();
            pin["folder"] = json!(folders.within.as_ref().map(ToString::to_string));
            pin["without"] = json!(without);
        }
        Some(pin)
    }

    /// The version that a guard or a language gives itself, if it is known without loading it.
    pub fn known_version(&self, id: &str) -> Option<String> {
        match self.guards.iter().find(|guard| guard.spec.id == id) {
            Some(guard) => guard.known().map(|outline| outline.version.to_string()),
            None => self.languages.get(id)?.version().ok(),
        }
    }

    /// The component of a guard or a language, read if it was not; None when none has this id, or it is embedded.
    pub fn component(&self, id: &str) -> Option<Result<Component>> {
        match self.guards.iter().find(|guard| guard.spec.id == id) {
            Some(guard) => guard.pinned(),
            None => self.languages.get(id)?.component().cloned().map(Ok),
        }
    }

    /// Of a guard or a language. Loads and compiles nothing. None when none has this id.
    pub fn identity(&self, id: &str) -> Option<Result<Identity, GuardFailure>> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id).map(Guard::identity);
        guard.or_else(|| self.languages.get(id).map(LanguageSpec::identity))
    }
}
