//! What a file defines, what it uses, what it takes from other files, and which of its tests do not run.

mod draft;
pub mod javascript;
pub mod python;
pub mod rust;
mod unfinished;

pub use draft::Draft;
