//! What tests share.

pub mod agents;
pub mod cli;
pub mod diff;
pub mod objects;
pub mod repo;
