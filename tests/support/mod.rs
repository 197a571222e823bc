//! What tests share.

pub mod cli;
pub mod repo;
