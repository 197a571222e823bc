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
