//! The contract's Rust bindings, generated from `wit/guard`.

wasmtime::component::bindgen!({
    path: "../../wit/guard",
    world: "guardhost:guard/everything",
    imports: { default: trappable },
});

pub use guardhost::guard::{change, facts, history, log, net, plans, refusal, repo, toolchain, types};

/// The version of the package in `wit/guard`; a new one means a new folder and a second set of bindings.
pub const VERSION: &str = "0.1.0";
