//! Which file, module or package an import means, and which names a module offers: for guards that judge imports, names and calls.
//!
//! ```no_run
//! # fn f(change: &guard_sdk::Change) {
//! use resolution::{Meaning, Offer, Resolver};
//!
//! let resolver = Resolver::new(change, guard_sdk::Side::After);
//! for import in resolver.imports("src/app.py").iter().flat_map(|imports| imports.iter()) {
//!     if let Meaning::File(path) = resolver.module("src/app.py", import) {
//!         let has_it = resolver.offers(&path, "connect") == Offer::Yes;
//!     }
//! }
//! # }
//! ```
//!
//! A resolver looks for files through the `repo` capability, asks for `modules` what they import and offer, and for `facts` when it looks
//! for a package. What it has read it keeps. Rust alone it reads itself, from tokens.

mod by_language;
mod generated;
mod go;
mod import;
pub mod importers;
mod javascript;
mod lines;
mod meaning;
mod nearest;
mod python;
mod resolver;
mod rust;
mod test_data;
mod tree;

pub use by_language::{GLOBS, language_of};
/// What a build makes, as folders and `.gitignore` tell.
pub use generated::{is_ignored, is_made_folder};
/// Whether Go, or Python, comes with what is imported by that path, or that first part of a module.
pub use go::standard::is_standard as is_standard_go;
pub use import::{Import, Module, Need};
pub use lines::Lines;
pub use meaning::{Meaning, Offer};
pub use nearest::nearest;
/// Which distribution gives a module: certainly, and perhaps.
pub use python::distributions::{is_distribution, may_be_of as may_give, modules_of};
pub use python::standard::is_standard as is_standard_python;
pub use resolver::Resolver;
pub use test_data::is_test_data;
pub use tree::Tree;
