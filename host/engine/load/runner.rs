//! Wasmtime's engines, each with the linkers of what guards are granted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::call::store_data::StoreData;
use crate::capability::linker;
use crate::config;
use crate::failure::GuardFailure;
use crate::grant::Grants;

type Result<T, E = wasmtime::Error> = std::result::Result<T, E>;

/// An engine, and one linker for each set of capabilities: guards with the same grants share it.
pub struct Runner {
    pub engine: Engine,
    /// By the bits of [`Grants::bits`]; a process needs few of the many.
    linkers: Mutex<BTreeMap<usize, Arc<LinkerSlot>>>,
}

type LinkerSlot = OnceLock<Result<Linker<StoreData>, GuardFailure>>;

impl Runner {
    /// Runs code that was compiled just now or comes from the cache.
    pub fn new() -> Result<Self, GuardFailure> {
        let engine = Engine::new(&config::runner()).map_err(|error| GuardFailure::engine(&error))?;
        Ok(Self::with_engine(&engine))
    }

    /// Runs components of one engine, which are those of one of its clones.
    pub fn with_engine(engine: &Engine) -> Self {
        Runner { engine: engine.clone(), linkers: Mutex::default() }
    }

    /// Links a component of this engine with exactly what is granted.
    pub fn link(&self, component: &Component, grants: &Grants) -> Result<InstancePre<StoreData>, GuardFailure> {
        let failure = |error: wasmtime::Error| {
            GuardFailure::new("link", format!("the guard does not fit the contract of this host: {error:#}"))
        };
        let slot =
            self.linkers.lock().unwrap_or_else(PoisonError::into_inner).entry(grants.bits()).or_default().clone();
        let linker = slot.get_or_init(|| linker(&self.engine, grants).map_err(failure));
        linker.as_ref().map_err(GuardFailure::clone)?.instantiate_pre(component).map_err(failure)
    }
}
