//! A change from provider to commit, round by round.

pub mod fix;
pub mod many;
pub mod measure;
pub mod plan;
pub mod queue;
pub mod receipt;
mod recorder;
pub mod replay;
pub mod request;
pub mod review;
pub mod run;
pub mod settle;
pub mod triage;
