//! The default guard set, embedded: components as `build.rs` made them from the folders beside this file, and their code
//! compiled ahead of time for every machine of this architecture. They run like any other guard; no second code path.

pub mod engine;

/// An embedded guard.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    pub id: &'static str,
    pub version: &'static str,
    /// The component.
    pub wasm: &'static [u8],
    /// What `wasmtime` made of it; starts at a page boundary, so that it can run where it lies.
    pub compiled: &'static [u8],
    /// `sha256:…` of `wasm`.
    pub digest: &'static str,
    /// What its `describe` answered at build time, as JSON with the contract's field names in snake_case.
    pub description: &'static str,
    pub rules: &'static [Rule],
    /// One that it rejects, one that it accepts.
    pub examples: [Example; 2],
}

/// What a finding of this name means.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    pub id: &'static str,
    /// Markdown, as in the guard's README.
    pub meaning: &'static str,
}

/// A change out of a guard's own cases, and what the guard says of it.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// `reject` or `pass`.
    pub verdict: &'static str,
    /// What else the guard was told, name and JSON: `task`, `settings`, `plan`, `past`, `tools`, `web`.
    pub given: &'static [(&'static str, &'static str)],
    /// Files that stay as they are.
    pub beside: &'static [&'static str],
    /// Unified; empty for a guard of plans.
    pub diff: &'static str,
    /// JSON, as in the case's `expect.json`.
    pub findings: &'static str,
}

/// Sorted by id.
pub fn builtin() -> &'static [Builtin] {
    BUILTIN
}

/// The page size of x86-64 is fixed; elsewhere the kernel may have been built for pages of 64 KiB.
#[repr(C)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
struct PageAligned<B: ?Sized>(B);

/// `include_bytes!` at a page boundary.
macro_rules! include_page_aligned {
    ($path:expr) => {{
        static BYTES: &PageAligned<[u8]> = &PageAligned(*include_bytes!($path));
        &BYTES.0
    }};
}

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
