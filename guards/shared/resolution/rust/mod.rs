//! Rust: which module, item or crate a `use` or `mod` means.

mod cursor;
mod declared;
mod items;
pub mod krate;
mod made;
mod outline;
mod tree;
mod walk;

pub use walk::meaning;

use crate::import::Import;

/// Whether the import binds the module that the file is: a function of a type is not one of the file that the type stands in.
pub fn binds_module(import: &Import, file: &str) -> bool {
    let name = import.module.rsplit("::").next().unwrap_or(&import.module);
    file.ends_with(&format!("/{name}.rs")) || file.ends_with(&format!("/{name}/mod.rs"))
}
