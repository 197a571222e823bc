//! What the C of the grammars calls, and neither tree-sitter nor Rust has on a machine without a system.

/// The scanner of Swift leaves by this when there is no memory for it.
// SAFETY: no other function of the component has this name, and its signature is that of the C library.
#[unsafe(no_mangle)]
extern "C" fn exit(_: i32) -> ! {
    core::arch::wasm32::unreachable()
}
