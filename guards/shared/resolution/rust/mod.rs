//! Rust: which module, item or crate a `use` or `mod` means.

mod cursor;
mod declared;
mod items;
mod krate;
mod made;
mod outline;
mod tree;
mod walk;

pub use krate::Crates;
pub use walk::meaning;
