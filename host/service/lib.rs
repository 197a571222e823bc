//! The server of the observer: what runs of several people and machines know of one another.
//!
//! `storage/` keeps it, in SQLite or PostgreSQL.

pub mod storage;
