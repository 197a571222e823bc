//! Rust: which module, item or crate a `use` or `mod` means.

mod cursor;
mod items;
mod krate;
mod outline;
mod tree;
mod walk;

pub use krate::Crates;
pub use walk::meaning;
