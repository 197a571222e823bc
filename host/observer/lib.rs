//! What a run says to an observer, and asks of it.
//!
//! An observer is a server that several runs, people and machines share: it keeps what became of earlier attempts, who works on what, and
//! the events of runs. `wire/` is its JSON, `repository.rs` names a repository alike on every machine, `client/` speaks to the server and
//! `outbox/` keeps what could not be sent.

pub mod client;
pub mod outbox;
pub mod repository;
pub mod wire;
