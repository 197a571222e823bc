//! Loads a guard: checks its digest, then its imports, then compiles and links its code.

pub mod authenticated;
pub mod code_cache;
pub mod compile;
pub mod component_interface;
pub mod component_record;
pub mod contract;
pub mod in_place;
pub mod runner;
mod verified;

use std::path::Path;
use std::sync::OnceLock;

use wasmtime::component::{Component, InstancePre};

use crate::call;
use crate::call::store_data::StoreData;
use crate::describe::Description;
use crate::describe::outline::DescribedOutline;
use crate::embedded::{Builtin, EmbeddedGuards};
use crate::failure::GuardFailure;
use crate::grant::{Capability, Grants};
use crate::limits::Limits;
use crate::load::code_cache::{Cache, CachedCode};
use crate::load::component_record::ComponentRecord;
use crate::load::runner::Runner;
use guardhost_core::component::Component as Pinned;
use guardhost_core::stop::StopToken;

/// A guard whose code is in memory and whose imports are linked. Cheap to clone.
#[derive(Clone)]
pub struct Loaded {
    pub pre: InstancePre<StoreData>,
    pub description: Description,
    pub outline: DescribedOutline,
    /// The code came from the binary or the cache.
    pub cached: bool,
    /// A warning about the cache, for the user.
    pub notice: Option<String>,
}

/// Loads an embedded guard. Nothing is hashed or parsed, because it is part of the binary.
pub fn embedded(guard: &'static Builtin, grants: &Grants) -> Result<Loaded, GuardFailure> {
    static RUNNER: OnceLock<Runner> = OnceLock::new();

    let description = guard.description.get().clone();
    for need in &description.needs {
        if !Capability::from_name(&need.name).is_some_and(|capability| grants.has(capability)) {
            let message =
                format!("the guard needs `{0}` ({1}); add \"{0}\" to its grants to allow it", need.name, need.why);
            return Err(GuardFailure::new("ungranted-import", message));
        }
    }
    let component = in_place::embedded(&guard.compiled)?;
    let runner = RUNNER.get_or_init(|| Runner::with_engine(component.engine()));
    Ok(Loaded {
        pre: runner.link(&component, grants)?,
        description,
        outline: guard.outline.clone(),
        cached: true,
        notice: None,
    })
}

/// Loads guards from components.
pub struct Loader<'a> {
    pub runner: &'a Runner,
    pub exe: &'a Path,
    pub cache: Option<&'a Path>,
    /// Their code is part of the binary, and their fingerprint names entries of the cache.
    pub embedded: &'static EmbeddedGuards,
    pub stop: &'a StopToken,
}

/// What a component has to be, and how it is called.
struct ComponentRequest<'a> {
    component: &'a Pinned,
    grants: &'a Grants,
    limits: &'a Limits,
}

impl Loader<'_> {
    /// The bytes that were hashed are the bytes that are compiled.
    pub fn load(
        &self,
        component: &Pinned,
        expected: Option<&str>,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Loaded, GuardFailure> {
        let digest = expected_digest(component, expected)?;
        component_interface::check(component.bytes(), grants)?;
        // A pin to the version that is embedded here: its code is compiled already.
        if let Some(guard) = self.embedded.with_digest(digest) {
            return embedded(guard, grants);
        }
        let wanted = ComponentRequest { component, grants, limits };
        let cache = match self.cache.map(|folder| Cache::open(folder, self.embedded.fingerprint)) {
            None => return self.compiled(&wanted, None, None),
            Some(Err(error)) => {
                return self.compiled(&wanted, None, Some(format!("compiled guards are not cached: {error}")));
            }
            Some(Ok(cache)) => cache,
        };
        if let Some(loaded) = self.cached(&cache, &wanted) {
            return loaded;
        }
        // Another process may have compiled it while this one waited.
        let made = || self.cached(&cache, &wanted).unwrap_or_else(|| self.compiled(&wanted, Some(&cache), None));
        cache.exclusively(digest, self.stop, made)
    }

    /// The code of a language component. The bytes that were hashed are the bytes that are compiled.
    pub fn language_code(&self, component: &Pinned, expected: Option<&str>) -> Result<Component, GuardFailure> {
        let digest = expected_digest(component, expected)?;
        component_interface::check_language(component.bytes())?;
        if let Some(reader) = self.embedded.readers.iter().find(|reader| reader.digest == digest) {
            return in_place::embedded(&reader.compiled);
        }
        // Where compiled code cannot be kept, the guards say so.
        let cache = self.cache.and_then(|folder| Cache::open(folder, self.embedded.fingerprint).ok());
        let Some(cache) = cache else { return self.made(component).map(|(component, _)| component) };
        let kept = || component_record::map(&self.runner.engine, &cache.get(digest)?.code).ok();
        if let Some(kept) = kept() {
            return Ok(kept);
        }
        // Another process may have compiled it while this one waited.
        let made = || match kept() {
            Some(kept) => Ok(kept),
            None => {
                let (made, code) = self.made(component)?;
                // That it cannot be kept costs the next run its time.
                let _ = cache.put(digest, &code, None);
                Ok(made)
            }
        };
        cache.exclusively(digest, self.stop, made)
    }

    /// Compiled now, and its code.
    fn made(&self, component: &Pinned) -> Result<(Component, Vec<u8>), GuardFailure> {
        let wasm = component.bytes();
        component_interface::check_contract(wasm)?;
        let code = compile::compile(self.exe, wasm, self.stop)?;
        // SAFETY: the code was written by our compile child just now, and is wasmtime's own output.
        let component = unsafe { Component::deserialize(&self.runner.engine, &code) };
        Ok((component.map_err(|error| GuardFailure::engine(&error))?, code))
    }

    /// From the cache. None: it is not there, or the engine refuses it, such as code for another processor, which the entry's name does
    /// not distinguish.
    fn cached(&self, cache: &Cache, wanted: &ComponentRequest) -> Option<Result<Loaded, GuardFailure>> {
        let CachedCode { code, record } = cache.get(wanted.component.digest())?;
        let component = component_record::map(&self.runner.engine, &code).ok()?;
        let loaded = || {
            let pre = self.linked(&component, wanted)?;
            let description = match record.filter(|record| record.used.fits(wanted.limits)) {
                Some(record) => record.description,
                None => {
                    let (description, used) = call::describe(&pre, wanted.limits, self.stop)?;
                    // The call that was to tell when it was compiled was ended, or had less fuel. Without a record it is asked every time.
                    let said = ComponentRecord::new(wanted.component, description, used)?;
                    let _ = cache.complete(wanted.component.digest(), &said);
                    said.description
                }
            };
            Ok(Loaded { pre, outline: (&description).into(), description, cached: true, notice: None })
        };
        Some(loaded())
    }

    /// Compiled now, and put into the cache. `notice` says why there is none.
    fn compiled(
        &self,
        wanted: &ComponentRequest,
        cache: Option<&Cache>,
        mut notice: Option<String>,
    ) -> Result<Loaded, GuardFailure> {
        let (component, code) = self.made(wanted.component)?;
        let described = self.linked(&component, wanted).and_then(|pre| {
            let (description, used) = call::describe(&pre, wanted.limits, self.stop)?;
            Ok((pre, ComponentRecord::new(wanted.component, description, used)?))
        });
        if let Some(cache) = cache {
            let record = described.as_ref().ok().map(|(_, record)| record);
            if let Err(error) = cache.put(wanted.component.digest(), &code, record) {
                notice = Some(format!("a compiled guard could not be cached: {error}"));
            }
        }
        let (pre, ComponentRecord { description, .. }) = described?;
        Ok(Loaded { pre, outline: (&description).into(), description, cached: false, notice })
    }

    fn linked(&self, component: &Component, wanted: &ComponentRequest) -> Result<InstancePre<StoreData>, GuardFailure> {
        self.runner.link(component, wanted.grants).map_err(|failure| {
            // Code from the cache may be of a later host. The contract's own comparison says better what is missing.
            component_interface::check_contract(wanted.component.bytes()).err().unwrap_or(failure)
        })
    }
}

/// The digest of a component, if it is the one that is pinned.
fn expected_digest<'c>(component: &'c Pinned, expected: Option<&str>) -> Result<&'c str, GuardFailure> {
    let digest = component.digest();
    match expected.filter(|expected| *expected != digest) {
        None => Ok(digest),
        Some(expected) => Err(GuardFailure::new(
            "digest-mismatch",
            format!(
                "the component is {digest}, pinned is {expected}: restore the pinned file, or run `host guard lock`"
            ),
        )),
    }
}
