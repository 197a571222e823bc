//! Reports of commands as data, from which their JSON is derived, and the journal of runs.

mod data;
pub mod escape;
pub mod for_model;
pub mod journal;
pub mod json;
pub mod rulings;

pub use data::*;
