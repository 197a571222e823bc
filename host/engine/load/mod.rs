//! Loads a guard: checks its digest, then its imports, then compiles and links its code.

pub mod code_cache;
pub mod compile;
pub mod component_interface;
pub mod contract;
pub mod engines;

use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre};

use crate::call;
use crate::call::store_data::StoreData;
use crate::capability::linker;
use crate::describe::Description;
use crate::embedded::Builtin;
use crate::failure::Failure;
use crate::grant::{Capability, Grants};
use crate::limits::Limits;
use crate::load::code_cache::Cache;
use guardhost_core::component::Component as Pinned;
use guardhost_core::stop::StopToken;

/// A guard whose code is in memory and whose imports are linked. Cheap to clone.
#[derive(Clone)]
pub struct Loaded {
    pub pre: InstancePre<StoreData>,
    pub description: Description,
    /// The code came from the binary or the cache.
    pub cached: bool,
    /// A warning about the cache, for the user.
    pub notice: Option<String>,
}

/// Loads an embedded guard. Nothing is hashed or parsed, because it is part of the binary.
pub fn embedded(guard: &'static Builtin, description: &Description, grants: &Grants) -> Result<Loaded, Failure> {
    for need in &description.needs {
        if !Capability::from_name(&need.name).is_some_and(|capability| grants.has(capability)) {
            let message =
                format!("the guard needs `{0}` ({1}); add \"{0}\" to its grants to allow it", need.name, need.why);
            return Err(Failure::new("ungranted-import", message));
        }
    }
    let component = engines::embedded(&guard.compiled)?;
    Ok(Loaded { pre: link(&component, grants)?, description: description.clone(), cached: true, notice: None })
}

/// Loads guards from components.
pub struct Loader<'a> {
    pub engine: &'a Engine,
    pub exe: &'a Path,
    pub cache: Option<&'a Path>,
    /// Names entries of the cache; see [`EmbeddedGuards`](crate::embedded::EmbeddedGuards).
    pub fingerprint: &'static str,
    pub stop: &'a StopToken,
}

impl Loader<'_> {
    /// The bytes that were hashed are the bytes that are compiled.
    pub fn load(
        &self,
        component: &Pinned,
        expected: Option<&str>,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Loaded, Failure> {
        let (wasm, digest) = (component.bytes(), component.digest());
        if let Some(expected) = expected.filter(|expected| *expected != digest) {
            return Err(Failure::new(
                "digest-mismatch",
                format!(
                    "the component is {digest}, pinned is {expected}: restore the pinned file, or run `host guard lock`"
                ),
            ));
        }
        component_interface::check(wasm, grants)?;
        let (component, cached, notice) = self.component(wasm, digest)?;
        let pre = link(&component, grants).map_err(|failure| {
            // Code from the cache may be of a later host. The contract's own comparison says better what is missing.
            component_interface::check_contract(wasm).err().unwrap_or(failure)
        })?;
        let description = call::describe(&pre, limits, self.stop)?;
        Ok(Loaded { pre, description, cached, notice })
    }

    /// From the cache if it is there, otherwise compiled and put there.
    fn component(&self, wasm: &[u8], digest: &str) -> Result<(Component, bool, Option<String>), Failure> {
        let (cache, mut notice) = match self.cache.map(|folder| Cache::open(folder, self.fingerprint)) {
            None => (None, None),
            Some(Ok(cache)) => (Some(cache), None),
            Some(Err(error)) => (None, Some(format!("compiled guards are not kept: {error}"))),
        };
        let Some(cache) = cache else {
            return Ok((self.compiled(wasm)?.0, false, notice));
        };
        if let Some(component) = self.cached(&cache, digest) {
            return Ok((component, true, None));
        }
        cache.exclusively(digest, self.stop, || {
            // Another process may have compiled it while this one waited.
            if let Some(component) = self.cached(&cache, digest) {
                return Ok((component, true, None));
            }
            let (component, code) = self.compiled(wasm)?;
            if let Err(error) = cache.put(digest, &code) {
                notice = Some(format!("a compiled guard could not be kept: {error}"));
            }
            Ok((component, false, notice))
        })
    }

    fn cached(&self, cache: &Cache, digest: &str) -> Option<Component> {
        // The engine refuses code for another processor, which the entry's name does not distinguish; then it is compiled again.
        self.deserialize(&cache.get(digest)?).ok()
    }

    fn compiled(&self, wasm: &[u8]) -> Result<(Component, Vec<u8>), Failure> {
        component_interface::check_contract(wasm)?;
        let code = compile::compile(self.exe, wasm, self.stop)?;
        let component = self.deserialize(&code).map_err(|error| Failure::engine(&error))?;
        Ok((component, code))
    }

    fn deserialize(&self, code: &[u8]) -> wasmtime::Result<Component> {
        // SAFETY: the code was written by our compile child just now, or comes from the cache with a tag of this user's key: both
        // are wasmtime's own output. A process that can forge either already runs code as this user.
        unsafe { Component::deserialize(self.engine, code) }
    }
}

fn link(component: &Component, grants: &Grants) -> Result<InstancePre<StoreData>, Failure> {
    let linked = linker(component.engine(), grants).and_then(|linker| linker.instantiate_pre(component));
    linked.map_err(|error| Failure::new("link", format!("the guard does not fit the contract of this host: {error:#}")))
}
