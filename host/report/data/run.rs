//! `host run`: a task, asked for and judged round by round.

use std::path::PathBuf;

use super::check::CheckReport;
use super::refusal::Refusal;
use guardhost_core::change::{Budget, Note, Oid, PatchFormat, RunOutcome, Strategy, Touched, Usage};

/// What a run did, from the task to its end.
#[derive(Debug, Clone, Default)]
pub struct RunReport {
    pub run: String,
    pub task: String,
    pub outcome: RunOutcome,
    /// The folder that `--repo` names, for commands that come next; None for the current one.
    pub repo: Option<PathBuf>,
    /// None in a repository without commits.
    pub base: Option<Oid>,
    /// The run's own branch; the user's branches never move.
    pub branch: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    /// How many rounds were allowed.
    pub rounds_max: u32,
    /// Guards with contradicting findings; empty unless the run stopped because of them.
    pub cycle: Vec<String>,
    /// The committed change, as a git diff.
    pub diff: Option<String>,
    /// Why the run ended; None when the last round's `failure` says it.
    pub why: Option<String>,
    pub budget: Budget,
    /// Sum over all replies; only what the providers report.
    pub spent: Usage,
    /// The JSONL trace.
    pub trace: Option<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// One question to a provider, and what became of the reply.
#[derive(Debug, Clone, Default)]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The requested reply form and the version of the prompt template: `unified-diff/3`.
    pub prompt: &'static str,
    /// The provider that answered.
    pub provider: String,
    /// None when the provider does not name its model.
    pub model: Option<String>,
    /// The reply was recorded earlier; every format shows it.
    pub recorded: bool,
    pub usage: Usage,
    /// Wall time of the reply.
    pub micros: u64,
    /// Providers that failed before one answered: name and reason.
    pub failed: Vec<(String, String)>,
    pub notes: Vec<Note>,
    /// None when the reply held no patch.
    pub format: Option<PatchFormat>,
    /// None when the patch was not placed.
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// Why the round was not accepted; None when it was.
    pub failure: Option<Refusal>,
    /// None when no guard ran.
    pub check: Option<CheckReport>,
    /// The feedback for the next round; None after an accepted round.
    pub feedback: Option<String>,
    /// The ref under which the rejected attempt stays reachable.
    pub kept: Option<String>,
}
