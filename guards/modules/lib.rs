//! No code: `build.rs` makes the modules.
