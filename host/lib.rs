//! Guardhost: stands between a model that writes patches and the repository that must survive them.
//!
//! The folders are the way of a change, in order: provide, repair, extract, sanitize, apply, guard, settle; observe watches.
//! `change` holds the types that travel it, `run` walks it, `git` is the repository beneath. The library reads neither the
//! environment nor the current directory, and prints nothing: `main` hands in what it needs, `observe` shows what happened.

pub mod apply;
pub mod author;
pub mod cache;
pub mod change;
pub mod cli;
pub mod command;
pub mod component;
pub mod config;
pub mod error;
pub mod extract;
pub mod facts;
pub mod fetch;
pub mod fix;
pub mod git;
pub mod guard;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod net;
pub mod observe;
pub mod outside;
pub mod plan;
pub mod provide;
pub mod records;
pub mod repair;
pub mod run;
pub mod sanitize;
pub mod session;
pub mod settle;
pub mod toolchain;
