//! The gate: the one place that rules on a change, whichever door the change comes through.
//!
//! A door (a command, a hook, a session, a job of a fleet) says what the change is ([`Change`]), who wrote it and what that person allows
//! ([`Terms`]), and what follows from acceptance ([`Case`]). The gate reads the rules, holds the change to them, asks the guards, and
//! gives one [`Ruling`]. No other crate puts a judgement together: `tests/integration/architecture.rs` holds that.

pub mod autofix;
mod baseline;
pub mod branch;
mod case;
mod change;
mod disclosed;
mod door;
mod gate;
mod judged;
mod ready;
mod receipt;
mod remembered;
mod rule_changes;
mod ruling;
pub mod salvage;
mod unjudged;

pub use baseline::{BaselineFile, WrittenBaseline};
pub use case::{Case, ChangeAuthor, Purpose, RuleChanges, Terms};
pub use change::{ExistingChange, Proposal, RulesAt};
pub use door::Door;
pub use gate::{Gate, judge_again};
pub use judged::Judged;
pub use ready::ReadyGate;
pub use receipt::{judges_digest, receipt, rules_digest};
pub use remembered::Remembrance;
pub use ruling::{RefusedChange, Ruling};
