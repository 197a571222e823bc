//! One file a station, and one for each promise that spans them.

mod architecture;
mod audit;
mod author;
mod capabilities;
mod cli;
mod command_line;
mod dependencies;
mod display;
mod embedded;
mod exceptions;
mod explain;
mod facts;
mod fix;
#[cfg(feature = "fleet")]
mod fleet;
mod guard;
mod hook;
mod init;
mod install;
mod interrupt;
mod issues;
mod journal;
mod judging;
mod kill;
mod languages;
mod log;
mod many;
#[cfg(feature = "mcp")]
mod mcp;
mod net;
#[cfg(feature = "serve")]
mod observer;
mod packaging;
mod pages;
mod patch;
mod pins;
mod plan;
mod planner;
mod pr;
mod provide;
mod regressions;
mod replay;
mod repo;
mod report;
mod review;
mod rules;
mod run;
mod run_chain;
mod rust_sdk;
mod session;
mod settle;
mod take;
mod toolchain;
mod unjudged;
mod wire;
mod worktree;
