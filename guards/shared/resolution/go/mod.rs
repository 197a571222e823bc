//! Go: which package of the tree, of the standard library or of a module an import path means.

mod modules;
mod standard;

pub use modules::{Modules, meaning};
