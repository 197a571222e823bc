//! `host hook`: what agents and git are told.

mod agents;
mod between_tips;
mod canary;
mod disclosed;
mod git;
mod moves;
mod owners;
mod protocol;
mod runners;
mod safeguards;
mod shell;
mod shell_carriers;
mod symbolic;
mod weaker_rules;
mod witnesses;
