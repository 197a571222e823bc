//! A component that this user's host loaded before: what it said of itself, and its compiled code, kept together. With both, a guard is
//! judged by, or found not concerned, without its component being read.

use std::fs::File;
use std::io::{Read, Seek};
use std::sync::Arc;

use git2::ObjectType;
use guardhost_os::path_of_open;
use serde::{Deserialize, Serialize};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::describe::Description;
use crate::failure::GuardFailure;
use crate::grant::Grants;
use crate::limits::Limits;
use crate::load::component_interface::{self, ComponentInterface};
use crate::load::contract::check_import;
use guardhost_core::change::Oid;
use guardhost_core::component::Component as Pinned;

/// What was found out about a component by reading and loading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentRecord {
    /// `sha256:…` of the component.
    pub digest: String,
    /// The id that git gives a blob of these bytes.
    pub blob: String,
    /// Bytes of the component.
    pub size: usize,
    pub surface: ComponentInterface,
    /// The names of all imports, with package and version.
    pub imports: Vec<String>,
    pub description: Description,
    /// What the call of `describe` used.
    pub used: Used,
}

impl ComponentRecord {
    /// Of a component that was called.
    pub(super) fn new(component: &Pinned, description: Description, used: Used) -> Result<Self, GuardFailure> {
        let wasm = component.bytes();
        let blob = Oid::hash_object(ObjectType::Blob, wasm);
        Ok(ComponentRecord {
            digest: component.digest().to_owned(),
            blob: blob.map_err(|error| GuardFailure::machine(error.message()))?.to_string(),
            size: wasm.len(),
            surface: ComponentInterface::read(wasm)?,
            imports: component_interface::import_names(wasm)?,
            description,
            used,
        })
    }
}

/// Fuel, and the peak of linear memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub fuel: u64,
    pub memory: u64,
}

impl Used {
    /// Whether a call under these limits would have come to the same.
    pub fn fits(self, limits: &Limits) -> bool {
        self.fuel <= limits.fuel && self.memory <= limits.memory
    }
}

/// An entry of the cache whose bytes are authenticated. Cheap to clone.
#[derive(Debug, Clone)]
pub struct CachedComponent {
    pub record: Arc<ComponentRecord>,
    pub(super) code: Arc<File>,
}

impl CachedComponent {
    /// Checks the names, versions and grants of the imports, as for a component that is read.
    pub fn check_imports(&self, grants: &Grants) -> Result<(), GuardFailure> {
        self.record.imports.iter().try_for_each(|import| check_import(import, grants))
    }

    /// Maps the code. Errors: the engine refuses it, such as code for another processor, or the system cannot map it.
    pub fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        map(engine, &self.code)
    }
}

/// Runs the code of an open file where it is mapped: pages that no call touches are not read, and none is copied.
pub(super) fn map(engine: &Engine, code: &File) -> wasmtime::Result<Component> {
    if let Some(path) = path_of_open(code) {
        // SAFETY: the cache authenticated the file as wasmtime's own output. It lies in a folder that only this user can enter, and the
        // host replaces its entries but never writes into them: a process that could change the mapped bytes already runs as this user.
        return unsafe { Component::deserialize_file(engine, path) };
    }
    let mut bytes = Vec::new();
    (&*code).rewind().and_then(|()| (&*code).read_to_end(&mut bytes))?;
    // SAFETY: as above.
    unsafe { Component::deserialize(engine, &bytes) }
}
