//! The engine configuration, shared by everything that compiles guards (the guards' build script, which includes this file, and
//! the host's compile child) and by the host, which runs them: code loads only into an engine with the same settings.

use wasmtime::Config;

/// Native stack that a guest may use, in bytes. Recursive parsers need a few hundred KiB; the host's own frames share the stack,
/// and a Rust thread has 2 MiB in all.
pub const STACK: usize = 1 << 20;

/// An engine that runs compiled code and cannot compile: making it takes 25 µs.
#[allow(dead_code, reason = "the build script compiles and the host runs")]
pub fn runner() -> Config {
    let mut config = Config::new();
    config.enable_compiler(false);
    shared(&mut config, cfg!(windows));
    config
}

/// An engine that compiles for `target`, a triple. Naming it, even this machine's own, leaves out this machine's processor
/// extensions, so that the same component gives the same code everywhere.
pub fn compiler(target: &str) -> wasmtime::Result<Config> {
    let mut config = Config::new();
    config.target(target)?;
    // The same bits on every machine, also where the specification leaves a NaN's payload open.
    config.cranelift_nan_canonicalization(true);
    shared(&mut config, target.contains("windows"));
    Ok(config)
}

fn shared(config: &mut Config, windows: bool) {
    config
        // Components of components (QuickJS is one) copy from one's memory to the other's, in code that the compiler makes.
        .wasm_multi_memory(true)
        .consume_fuel(true)
        .max_wasm_stack(STACK)
        // Proposals that no guard needs are attack surface.
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_relaxed_simd(false)
        // Nothing unwinds through guest frames, and traps are recognised by type, so tables for either are only size. Windows demands the
        // first.
        .native_unwind_info(windows)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None);
}
