//! From bytes to a guard that is ready to be called: the digest first, then its imports, then its code.

mod code_cache;
pub mod compile;
pub mod component_interface;
pub mod engines;

use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre};

use crate::call;
use crate::call::store_data::StoreData;
use crate::capability::{Capability, linker};
use crate::describe::Description;
use crate::embedded::Builtin;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::load::code_cache::Cache;
use guardhost_core::component::Component as Pinned;

/// A guard whose code is in memory and whose imports are linked. Cheap to clone.
#[derive(Clone)]
pub struct Loaded {
    pub pre: InstancePre<StoreData>,
    pub description: Description,
    /// The code was not compiled just now.
    pub cached: bool,
    /// Something about the cache that the user should know.
    pub notice: Option<String>,
}

/// An embedded guard. Nothing is hashed or parsed: it is part of the binary.
pub fn embedded(guard: &'static Builtin, description: &Description, granted: &[Capability]) -> Result<Loaded, Failure> {
    for need in &description.needs {
        if !granted.iter().any(|capability| capability.name() == need.name) {
            let message =
                format!("the guard needs `{0}` ({1}); add \"{0}\" to its grants to allow it", need.name, need.why);
            return Err(Failure::new("ungranted-import", message));
        }
    }
    let component = engines::embedded(guard).map_err(broken)?;
    Ok(Loaded { pre: link(&component, granted)?, description: description.clone(), cached: true, notice: None })
}

/// Where code comes from and how it is checked.
pub struct Loader<'a> {
    pub engine: &'a Engine,
    pub exe: &'a Path,
    pub cache: Option<&'a Path>,
    /// Names entries of the cache; see [`EmbeddedGuards`](crate::embedded::EmbeddedGuards).
    pub fingerprint: &'static str,
}

impl Loader<'_> {
    /// A guard from bytes: those that were hashed.
    pub fn load(
        &self,
        component: &Pinned,
        expected: Option<&str>,
        granted: &[Capability],
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
        component_interface::check(wasm, granted)?;
        let (component, cached, notice) = self.component(wasm, digest)?;
        let pre = link(&component, granted)?;
        let description = call::describe(&pre, limits)?;
        Ok(Loaded { pre, description, cached, notice })
    }

    /// From the cache if it has it, from the compiler otherwise.
    fn component(&self, wasm: &[u8], digest: &str) -> Result<(Component, bool, Option<String>), Failure> {
        let (cache, mut notice) = match self.cache.map(|folder| Cache::open(folder, self.fingerprint)) {
            None => (None, None),
            Some(Ok(cache)) => (Some(cache), None),
            Some(Err(error)) => (None, Some(format!("compiled guards are not kept: {error}"))),
        };
        let Some(cache) = cache else {
            return Ok((self.compiled(wasm)?.0, false, notice));
        };
        if let Some(component) = self.kept(&cache, digest) {
            return Ok((component, true, None));
        }
        cache.alone(digest, || {
            // Another host may have compiled it while this one waited.
            if let Some(component) = self.kept(&cache, digest) {
                return Ok((component, true, None));
            }
            let (component, code) = self.compiled(wasm)?;
            if let Err(error) = cache.put(digest, &code) {
                notice = Some(format!("a compiled guard could not be kept: {error}"));
            }
            Ok((component, false, notice))
        })
    }

    fn kept(&self, cache: &Cache, digest: &str) -> Option<Component> {
        // What the entry's name does not tell apart (another processor), the engine refuses; then it is compiled anew.
        self.deserialize(&cache.get(digest)?).ok()
    }

    fn compiled(&self, wasm: &[u8]) -> Result<(Component, Vec<u8>), Failure> {
        let code = compile::compile(self.exe, wasm)?;
        let component = self.deserialize(&code).map_err(|error| broken(format!("{error:#}")))?;
        Ok((component, code))
    }

    fn deserialize(&self, code: &[u8]) -> wasmtime::Result<Component> {
        // SAFETY: the code is what our compile child wrote just now, or what the cache holds under this user's key: both are
        // wasmtime's own output. Whoever can forge either already runs code as this user.
        unsafe { Component::deserialize(self.engine, code) }
    }
}

fn link(component: &Component, granted: &[Capability]) -> Result<InstancePre<StoreData>, Failure> {
    let linked = linker(component.engine(), granted).and_then(|linker| linker.instantiate_pre(component));
    linked.map_err(|error| {
        Failure::new(
            "link",
            format!("the guard does not fit version {} of the contract: {error:#}", crate::bindings::VERSION),
        )
    })
}

fn broken(why: String) -> Failure {
    Failure::new("load", format!("the guard's compiled code cannot be loaded: {why}"))
}
