//! Go: which package of the tree, of the standard library or of a module an import path means.

mod meaning;
pub mod modules;
pub mod standard;

pub use meaning::meaning;
