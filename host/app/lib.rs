//! The application: command line, commands, sessions of agents, MCP. `main` hands in what the process was given.

mod canary;
pub mod cli;
pub mod command;
mod context;
pub mod exit_code;
pub mod hook;
pub mod install;
pub mod interrupt;
#[cfg(feature = "mcp")]
pub mod mcp;
mod missing_objects;
pub mod observing;
pub mod program;
pub mod session;
