//! The server of the observer: what runs of several people and machines know of one another.
//!
//! `storage/` keeps it, in SQLite or PostgreSQL; `http/` answers; `serve.rs` starts and ends a server; `answers.rs` is what it asks of the
//! application about repositories on this machine's disk.

pub mod answers;
pub mod data_folder;
mod endpoint;
pub mod http;
mod metrics;
pub mod serve;
pub mod storage;
pub mod tokens;
