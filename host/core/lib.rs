//! The types that every crate of Guardhost shares, and errors that a person can act on.

pub mod audit;
pub mod cache;
pub mod canonical;
pub mod change;
pub mod component;
pub mod error;
pub mod issue;
pub mod limits;
pub mod machine;
pub mod masked;
pub mod process_env;
pub mod renamed_guards;
pub mod sensitive;
pub mod setting;
pub mod stop;
pub mod vote;
pub mod written;
