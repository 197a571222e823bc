//! A guard before anybody pinned it: loaded with every right there is, asked what it is, and never called.

use serde_json::Value;

use super::about::Identity;
use super::authority::Authority;
use super::description::Description;
use super::failure::Failure;
use super::limits::Limits;
use super::load::Loader;
use super::set::Machine;
use super::surface::Surface;
use super::{engine, settings};
use guardhost_core::component::Component;

/// What it says of itself, and what can be seen.
#[derive(Debug, Clone)]
pub struct Introduction {
    pub description: Description,
    pub identity: Identity,
}

/// Compiles it if the cache lacks it. Errors: it cannot be loaded or cannot describe itself.
pub fn introduce(component: &Component, machine: &Machine) -> Result<Introduction, Failure> {
    let engine = engine::plain().map_err(|error| Failure::new("load", format!("{error:#}")))?;
    let loader = Loader { engine: &engine, exe: &machine.exe, cache: machine.cache_dir.as_deref() };
    let loaded = loader.load(component, None, &Authority::ALL, &Limits::default())?;
    let identity = Identity {
        digest: component.digest().to_owned(),
        size: component.bytes().len(),
        surface: Surface::read(component.bytes())?,
    };
    Ok(Introduction { description: loaded.description, identity })
}

/// Of an embedded guard; None when none has this id.
pub fn introduce_embedded(id: &str) -> Option<Result<Introduction, Failure>> {
    let guard = guards::builtin().iter().find(|guard| guard.id == id)?;
    let introduction = || {
        let description = serde_json::from_str(guard.description)
            .map_err(|error| Failure::new("bad-description", format!("the embedded guard `{id}`: {error}")))?;
        let surface = Surface::read(guard.wasm)?;
        let identity = Identity { digest: guard.digest.to_owned(), size: guard.wasm.len(), surface };
        Ok(Introduction { description, identity })
    };
    Some(introduction())
}

impl Introduction {
    /// Errors: why it has no such settings, in words.
    pub fn accepts(&self, settings: &Value) -> Result<(), String> {
        settings::check(&self.description.settings_schema, settings)
    }

    /// Interfaces that it imports and that a pin has to grant, with the guard's own words for why; none when it gives none.
    pub fn rights(&self) -> Vec<(&str, &str)> {
        let imports = self.identity.surface.imports.iter().map(String::as_str);
        let why = |name: &str| {
            self.description.needs.iter().find(|need| need.name == name).map_or("", |need| need.why.as_str())
        };
        imports.filter(|name| Authority::from_name(name).is_some()).map(|name| (name, why(name))).collect()
    }
}
