//! Reads Java, Kotlin, C#, C, C++, Swift, Go, PHP and Ruby: the component that the host runs for `guardhost:language`, and a library
//! for native tests.
//!
//! The languages differ in their tables alone (`tables`); what walks a tree, and says what is a test, a stub or a mark, is the same.

mod brackets;
pub mod claims;
mod component;
mod kinds;
mod language;
#[cfg(target_arch = "wasm32")]
mod no_libc;
mod outline;
mod parsed;
mod reader;
mod syntax;
mod table;
mod tables;

pub use component::Grammars;
pub use language::Language;
use parsed::Parsed;
pub use reader::Reader;

guard_sdk::language!(Grammars);
