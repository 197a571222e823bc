//! The wasmtime engines. Embedded code runs from where the binary is mapped, without a copy.

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use guardhost_os::{make_executable, page_size};
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{CustomCodeMemory, Engine};

use crate::call::store_data::StoreData;
use crate::capability::linker;
use crate::config;
use crate::embedded::Compiled;
use crate::failure::Failure;
use crate::grant::Grants;

type Result<T, E = wasmtime::Error> = std::result::Result<T, E>;

/// An engine, and one linker for each set of capabilities: guards with the same grants share it.
pub struct Runner {
    pub engine: Engine,
    /// By the bits of [`Grants::bits`]; a process needs few of the many.
    linkers: Mutex<BTreeMap<usize, Arc<LinkerSlot>>>,
}

type LinkerSlot = OnceLock<Result<Linker<StoreData>, Failure>>;

impl Runner {
    /// Runs code that was compiled just now or comes from the cache.
    pub fn new() -> Result<Self, Failure> {
        Self::with(Engine::new(&config::runner()))
    }

    fn with(engine: Result<Engine>) -> Result<Self, Failure> {
        let engine = engine.map_err(|error| Failure::engine(&error))?;
        Ok(Runner { engine, linkers: Mutex::default() })
    }

    /// Links a component of this engine with exactly what is granted.
    pub fn link(&self, component: &Component, grants: &Grants) -> Result<InstancePre<StoreData>, Failure> {
        let failure = |error: wasmtime::Error| {
            Failure::new("link", format!("the guard does not fit the contract of this host: {error:#}"))
        };
        let slot =
            self.linkers.lock().unwrap_or_else(PoisonError::into_inner).entry(grants.bits()).or_default().clone();
        let linker = slot.get_or_init(|| linker(&self.engine, grants).map_err(failure));
        linker.as_ref().map_err(Failure::clone)?.instantiate_pre(component).map_err(failure)
    }
}

/// Loads embedded code without a copy: for 3 MB a copy takes 1.6 ms, this takes 0.1 ms.
///
/// Wasmtime panics when two components have one address, and the binary is mapped once a process. So the engine and each component
/// are made once a process. Failures are kept too.
pub fn embedded(compiled: &'static Compiled) -> Result<(Component, &'static Runner), Failure> {
    static RUNNER: OnceLock<Result<Runner, Failure>> = OnceLock::new();

    let runner = RUNNER.get_or_init(|| Runner::with(in_place())).as_ref().map_err(Failure::clone)?;
    let load = || load(&runner.engine, compiled.code).map_err(|error| Failure::engine(&error));
    Ok((compiled.loaded.get_or_init(load).clone()?, runner))
}

fn in_place() -> Result<Engine> {
    let mut config = config::runner();
    config.with_custom_code_memory(Some(Arc::new(InPlace)));
    Engine::new(&config)
}

fn load(engine: &Engine, code: &'static [u8]) -> Result<Component> {
    if !code.as_ptr().addr().is_multiple_of(page_size()) {
        // The system's loader ignored the alignment of segments; the code runs from a copy.
        // SAFETY: as below.
        return unsafe { Component::deserialize(engine, code) };
    }
    // SAFETY: the bytes were made by this version of wasmtime with the same configuration when the binary was built. They are part
    // of it, so a process that could change them could change this code too. They are static and read-only, so they outlive the
    // component and never change.
    unsafe { Component::deserialize_raw(engine, NonNull::from(code)) }
}

/// Makes pages of the binary's read-only data executable.
struct InPlace;

impl CustomCodeMemory for InPlace {
    fn required_alignment(&self) -> usize {
        page_size()
    }

    fn publish_executable(&self, start: *const u8, len: usize) -> Result<()> {
        let len = len.next_multiple_of(self.required_alignment());
        // SAFETY: the pages are mapped from the binary, never written (they were read-only and become read-and-execute), and
        // hold nothing but the embedded guard. The kernel keeps instruction caches coherent for pages mapped from a file.
        unsafe { make_executable(start, len)? };
        Ok(())
    }

    /// Does nothing: the pages stay executable, as the rest of the binary's code does.
    fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }
}
