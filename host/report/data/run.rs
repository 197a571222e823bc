//! What a change came to: placed, asked for round by round, or step by step.

use std::path::PathBuf;

use super::check::{CheckReport, Refusal};
use guardhost_core::change::{
    Budget, Judgement, Note, Oid, PatchFormat, RepoPath, RunOutcome, StepOutcome, Strategy, Touched, Usage,
};

/// What `host apply` did.
#[derive(Debug, Clone, Default)]
pub struct ApplyReport {
    /// Index and work tree now hold the change (or, with `dry_run`, would).
    pub applied: bool,
    pub dry_run: bool,
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    pub notes: Vec<Note>,
    pub refusal: Option<Refusal>,
    /// None with `--no-guards`, and when the patch was refused before any guard was asked.
    pub check: Option<CheckReport>,
}

/// The story of a `host run`.
#[derive(Debug, Clone, Default)]
pub struct RunReport {
    pub run: String,
    pub task: String,
    pub outcome: RunOutcome,
    pub base: Option<Oid>,
    /// The run's branch; the user's own branches never move.
    pub branch: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    /// How many rounds were allowed.
    pub rounds_max: u32,
    /// Guards that could not both be pleased; empty unless the run stopped for that.
    pub cycle: Vec<String>,
    /// What was committed, as a git diff.
    pub diff: Option<String>,
    /// Why it ended as it did, where the last round does not tell.
    pub why: Option<String>,
    /// What the run was allowed, and what its answers took, as far as the providers tell.
    pub budget: Budget,
    pub spent: Usage,
    /// The JSONL trace.
    pub trace: Option<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone, Default)]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The form of reply that was asked for last, and the version of the prompt's template.
    pub prompt: &'static str,
    /// Who answered.
    pub provider: String,
    pub model: Option<String>,
    /// The reply is a recording; shown wherever the reply is shown.
    pub recorded: bool,
    pub usage: Usage,
    /// Wall time of the answer.
    pub micros: u64,
    /// Providers that were asked first and failed: name and reason.
    pub failed: Vec<(String, String)>,
    pub notes: Vec<Note>,
    pub format: Option<PatchFormat>,
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// Why the round was not accepted; None when it was.
    pub failure: Option<Refusal>,
    pub check: Option<CheckReport>,
    /// What the next round is told.
    pub feedback: Option<String>,
    /// The ref under which a rejected attempt stays reachable.
    pub kept: Option<String>,
}

/// What `host patch` did.
#[derive(Debug, Clone)]
pub struct PatchReport {
    pub run: String,
    pub source: RepoPath,
    pub target: RepoPath,
    /// Never [`RunOutcome::Committed`].
    pub outcome: RunOutcome,
    /// Of the last attempt.
    pub apply: ApplyReport,
    /// Set when it was rejected.
    pub error: Option<NamedError>,
    /// How many attempts there were.
    pub rounds: usize,
    /// What is kept of each attempt.
    pub artifacts: Vec<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// An error that programs know by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedError {
    /// Stable, kebab-case.
    pub code: &'static str,
    pub message: String,
}

/// What became of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanReport {
    /// Of the plan itself; each step that was tried has a run of its own.
    pub run: String,
    pub base: Option<Oid>,
    /// The plan's branch: a commit for each step that was accepted.
    pub branch: String,
    /// The last of them.
    pub commit: Option<Oid>,
    /// What the guards of the plan stage said.
    pub judgement: Judgement,
    /// In the order of the plan.
    pub steps: Vec<StepReport>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone, Default)]
pub struct StepReport {
    pub id: String,
    pub title: String,
    pub outcome: StepOutcome,
    /// Why it was not accepted.
    pub why: Option<String>,
    pub run: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// The step was rejected, and a guard said so: not a failing guard, and not a patch that could not be placed.
    pub is_rejected_by_guard: bool,
    /// What `host run` of this step alone would exit with; 0 unless it was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}
