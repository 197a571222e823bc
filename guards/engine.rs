//! One engine configuration for all who compile guards (the build script, the host's compile child) and for the host,
//! which runs them: code loads only into an engine that agrees on everything below.

use wasmtime::Config;

/// Native stack that a guest may use, in bytes. Recursive parsers need some hundred KiB; the host's own frames stand on the same
/// stack, and a thread of Rust has 2 MiB in all.
pub const STACK: usize = 1 << 20;

/// An engine that runs compiled code and cannot compile: it is made in 25 µs.
#[allow(dead_code, reason = "the build script compiles and the host runs")]
pub fn runner() -> Config {
    let mut config = Config::new();
    config.enable_compiler(false);
    agreed(&mut config);
    config
}

/// An engine that compiles. `target` is a triple; naming it, even this machine's own, gives code for every processor of that
/// architecture instead of this machine's extensions, so that the same component gives the same code everywhere.
pub fn compiler(target: &str) -> wasmtime::Result<Config> {
    let mut config = Config::new();
    config.target(target)?;
    // The same bits on every machine, also where the specification leaves a NaN's payload open.
    config.cranelift_nan_canonicalization(true);
    agreed(&mut config);
    Ok(config)
}

fn agreed(config: &mut Config) {
    config
        // Components of components (QuickJS is one) copy from one's memory to the other's, in code that the compiler makes.
        .wasm_multi_memory(true)
        .consume_fuel(true)
        .max_wasm_stack(STACK)
        // Proposals that no guard needs are attack surface.
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_relaxed_simd(false)
        // Nothing unwinds through guest frames, and traps are told apart by their type: tables for either are weight.
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None);
}
