//! A change from provider to commit, round by round.

pub mod autofix;
pub mod fix;
pub mod judge;
pub mod judging;
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
mod unjudged;
