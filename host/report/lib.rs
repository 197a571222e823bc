//! What a command came to: reports as plain data, their JSON, and the records that runs leave behind.

mod data;
pub mod escape;
pub mod journal;
pub mod json;

pub use data::*;
