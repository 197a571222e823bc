//! The engines, and how code that lies in the binary runs where it lies.

use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

use rustix::mm::MprotectFlags;
use wasmtime::component::Component;
use wasmtime::{CustomCodeMemory, Engine};

use crate::config;
use crate::embedded::Builtin;

type Result<T, E = wasmtime::Error> = std::result::Result<T, E>;

/// For code that was just compiled or comes from the cache.
pub fn runner() -> Result<Engine> {
    Engine::new(&config::runner())
}

/// An embedded guard's code, loaded without a copy: of 3 MB, a copy costs 1.6 ms, and this 0.1 ms.
///
/// The binary's code is there once a process, and wasmtime takes note of it once a process (two components at one address are a
/// panic). So the engine and each component are made once a process. Errors: what wasmtime says.
pub fn embedded(guard: &'static Builtin) -> Result<Component, String> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();

    let told = |error: wasmtime::Error| format!("{error:#}");
    let engine = ENGINE.get_or_init(|| in_place().map_err(told)).as_ref().map_err(String::clone)?;
    guard.compiled.loaded.get_or_init(|| load(engine, guard.compiled.code).map_err(told)).clone()
}

fn in_place() -> Result<Engine> {
    let mut config = config::runner();
    config.with_custom_code_memory(Some(Arc::new(InPlace)));
    Engine::new(&config)
}

fn load(engine: &Engine, code: &'static [u8]) -> Result<Component> {
    if !code.as_ptr().addr().is_multiple_of(rustix::param::page_size()) {
        // A loader that ignores the alignment of segments; the code then runs from a copy.
        // SAFETY: as below.
        return unsafe { Component::deserialize(engine, code) };
    }
    // SAFETY: the bytes were made by this version of wasmtime with the same configuration, when the binary was built; they are
    // part of it, so that whoever could change them could change this code too. They are static and read-only, so that
    // they outlive the component and never change.
    unsafe { Component::deserialize_raw(engine, NonNull::from(code)) }
}

/// Makes pages of the binary's read-only data executable.
struct InPlace;

impl CustomCodeMemory for InPlace {
    fn required_alignment(&self) -> usize {
        rustix::param::page_size()
    }

    fn publish_executable(&self, start: *const u8, len: usize) -> Result<()> {
        let len = len.next_multiple_of(self.required_alignment());
        // SAFETY: the pages are mapped from the binary, never written (they were read-only and become read-and-execute), and
        // hold nothing but the embedded guard. The kernel keeps instruction caches coherent for pages mapped from a file.
        unsafe { rustix::mm::mprotect(start.cast_mut().cast(), len, MprotectFlags::READ | MprotectFlags::EXEC)? };
        Ok(())
    }

    /// Nothing: the pages stay, and are as harmless as the rest of the binary's code.
    fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }
}
