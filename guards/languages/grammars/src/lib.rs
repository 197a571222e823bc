//! Reads Java, Kotlin, C#, C, C++, Swift, Go, PHP and Ruby: the component that the host runs for `guardhost:language`, and a library
//! for native tests.
//!
//! The languages differ in their tables alone (`tables`); what walks a tree, and says what is a test, a stub or a mark, is the same.

mod brackets;
pub mod claims;
mod kinds;
mod language;
pub mod outline;
mod parsed;
pub mod syntax;
mod table;
mod tables;

pub use language::Language;
pub use parsed::Parsed;
