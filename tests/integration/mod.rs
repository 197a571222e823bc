//! One file a station, and one for each promise that spans them.

mod architecture;
mod author;
mod capabilities;
mod cli;
mod dependencies;
mod display;
mod embedded;
mod exceptions;
mod explain;
mod facts;
mod fix;
mod guard;
mod journal;
mod judging;
mod kill;
mod languages;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod net;
mod patch;
mod pins;
mod plan;
mod provide;
mod regressions;
mod repo;
mod report;
mod rules;
mod run;
mod run_chain;
mod rust_sdk;
mod session;
mod settle;
mod toolchain;
mod wire;
mod worktree;
