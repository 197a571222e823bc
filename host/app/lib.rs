//! The application: command line, commands, sessions of agents, MCP, ACP, the language server. `main` hands in what the process was given.

pub mod acp;
mod canary;
pub mod cli;
pub mod command;
mod context;
pub mod exit_code;
#[cfg(any(feature = "lsp", feature = "mcp"))]
mod file_address;
pub mod hook;
pub mod install;
pub mod interrupt;
mod json_rpc;
#[cfg(feature = "lsp")]
pub mod lsp;
#[cfg(feature = "mcp")]
pub mod mcp;
mod missing_objects;
pub mod observing;
pub mod program;
pub mod session;
