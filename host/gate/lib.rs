//! The gate: the one place that rules on a change, whichever door the change comes through.
//!
//! A door (a command, a hook, a session, a job of a fleet) says what the change is ([`Change`]), who wrote it and what that person allows
//! ([`Terms`]), and what follows from acceptance ([`Case`]). The gate reads the rules, holds the change to them, asks the guards, and
//! gives one [`Ruling`]. No other crate puts a judgement together: `tests/integration/architecture.rs` holds that.
//!
//! What is staged may not change its own rules, unless somebody who maintains them allows it:
//!
//! ```
//! use guardhost_core::change::NullObserver;
//! use guardhost_core::process_env::ProcessEnv;
//! use guardhost_engine::EmbeddedGuards;
//! use guardhost_gate::{Case, Door, ExistingChange, Gate, RuleChanges, Ruling, Terms};
//! use guardhost_git::Repo;
//! use guardhost_policy::PolicySource;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let git = |line: &str| assert!(std::process::Command::new("git").args(line.split(' ')).current_dir(&folder).status().unwrap().success());
//! # std::fs::write(folder.path().join("guards.toml"), "schema = 1\n\n[policy]\nunjudged = \"accept\"\n")?;
//! # ["init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"].map(git);
//! # std::fs::write(folder.path().join("guards.toml"), "schema = 1\n\n[policy]\nunjudged = \"accept\"\nrounds = 5\n")?;
//! # git("add .");
//! // A program that embeds guards names them here.
//! static NONE: EmbeddedGuards = EmbeddedGuards {
//!     guards: &[], analyzers: &[], readers: &[], missing_readers: &[], target: "", fingerprint: "",
//! };
//! let process = ProcessEnv { cwd: folder.path().to_owned(), threads: 1, ..ProcessEnv::default() };
//! let source = PolicySource {
//!     process: &process, embedded: &NONE, config: None, offline: true, demands_lock: false, fresh: true, shared: None, remember: None,
//! };
//! let repo = Repo::open(folder.path())?;
//! let index = repo.index_path(None)?;
//! let rule = |rule_changes: RuleChanges| -> Result<Ruling, Box<dyn std::error::Error>> {
//!     let proposal = ExistingChange::Staged { index: &index }.propose(&repo)?;
//!     let gate = Gate::for_change(&source, &repo, &proposal, &Terms::at(Door::Check).with_rule_changes(rule_changes))?;
//!     Ok(gate.rule(Case::report(proposal.candidate, None), &NullObserver)?)
//! };
//! assert!(matches!(rule(RuleChanges::Kept)?, Ruling::Refused(_)));
//! assert!(rule(RuleChanges::Allowed)?.is_accepted());
//! # Ok(())
//! # }
//! ```

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
