//! Reports of commands as plain data (`data`), their JSON, and the journal of runs.

mod data;
pub mod escape;
pub mod journal;
pub mod json;

pub use data::*;
