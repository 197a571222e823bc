//! What tests share.

pub mod agents;
pub mod cli;
pub mod diff;
pub mod git_objects;
pub mod guest;
pub mod judging;
pub mod memory;
pub mod mutate;
pub mod objects;
pub mod repo;
pub mod server;
pub mod text;
