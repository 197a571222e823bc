//! What modules import, offer, define and call.

pub mod go;
pub mod javascript;
mod module;
pub mod python;
pub mod rust;

pub use module::{Module, imported};
