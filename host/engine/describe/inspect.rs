//! Inspects a guard before it is pinned: it is loaded with every capability and only asked for its description.

use serde_json::Value;

use crate::describe::Description;
use crate::describe::identity::Identity;
use crate::describe::settings;
use crate::embedded::EmbeddedGuards;
use crate::failure::GuardFailure;
use crate::grant::{Capability, Grants};
use crate::limits::Limits;
use crate::load::runner::Runner;
use crate::set::EngineContext;
use guardhost_core::component::Component;

/// A guard's description and identity.
#[derive(Debug, Clone)]
pub struct Inspection {
    pub description: Description,
    pub identity: Identity,
}

/// Compiles it if the cache lacks it. Errors: it cannot be loaded, or cannot describe itself.
pub fn inspect(component: &Component, machine: &EngineContext) -> Result<Inspection, GuardFailure> {
    let runner = Runner::new()?;
    let loader = machine.loader(&runner);
    let loaded = loader.load(component, None, &Grants::all(), &Limits::default())?;
    Ok(Inspection { description: loaded.description, identity: Identity::new(component)? })
}

/// Inspects an embedded guard. None when none has this id.
pub fn inspect_embedded(embedded: &EmbeddedGuards, id: &str) -> Option<Result<Inspection, GuardFailure>> {
    let guard = embedded.get(id)?;
    let inspection =
        || Ok(Inspection { description: guard.description.get().clone(), identity: Identity::from_embedded(guard)? });
    Some(inspection())
}

impl Inspection {
    /// Checks settings against the guard's schema. Errors: a message about the first violation.
    pub fn accepts(&self, settings: &Value) -> Result<(), String> {
        settings::check(&self.description.settings_schema, settings).map_err(|violation| violation.what)
    }

    /// The imports that a pin has to grant, each with the guard's reason; empty when it gives none.
    pub fn rights(&self) -> Vec<(&str, &str)> {
        let imports = self.identity.surface.imports.iter().map(String::as_str);
        let why = |name: &str| {
            self.description.needs.iter().find(|need| need.name == name).map_or("", |need| need.why.as_str())
        };
        imports.filter(|name| Capability::from_name(name).is_some()).map(|name| (name, why(name))).collect()
    }
}
