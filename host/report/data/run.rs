//! `host run`: a task, asked for and judged round by round.

use std::path::PathBuf;

use guardhost_core::written::{OptionalHex, OptionalPathText};
use schemars::JsonSchema;
use serde::Serialize;

use super::check::CheckReport;
use super::refusal::RefusalReport;
use guardhost_core::change::{Budget, Note, Oid, PatchFormat, RunOutcome, Strategy, Touched, Usage};

/// What a run did, from the task to its end.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "run")]
pub struct RunReport {
    /// The id of the run (a UUIDv7).
    pub run: String,
    pub outcome: RunOutcome,
    /// The task as given.
    pub task: String,
    /// The folder that `--repo` names, for commands that come next; None for the current one.
    #[serde(skip)]
    pub repo: Option<PathBuf>,
    /// The commit that the run started from; `null` in a repository without commits.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// The branch that holds the commit, `guardhost/` and the first words of the task with the end of the run's id:
    /// `guardhost/let-x-accept-none-1f3a9c2e`. The user's branches never move.
    pub branch: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    /// The number of the last round that was allowed.
    pub rounds_max: u32,
    /// Guards that rejected the same patch with the same findings twice; empty unless the run ended for that reason.
    pub cycle: Vec<String>,
    /// The committed change, as a git diff.
    pub diff: Option<String>,
    /// Why the run ended; `null` when the last round shows it.
    pub why: Option<String>,
    /// The limits of the run.
    pub budget: Budget,
    /// What all answers used; only what the providers report.
    pub spent: Usage,
    /// The path of the [trace](records.md#the-trace).
    #[serde(with = "OptionalPathText")]
    pub trace: Option<PathBuf>,
    /// Also what an [observer](observer.md) was absent for, as `the observer: …`.
    pub notices: Vec<String>,
    pub micros: u64,
}

/// One question to a provider, and what became of the reply.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "round")]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The reply format that was requested and the version of the prompt: `unified-diff/3`.
    pub prompt: &'static str,
    /// The provider that answered.
    pub provider: String,
    /// `null` when the provider does not name its model.
    pub model: Option<String>,
    /// The answer came from a recording; every format shows it.
    pub recorded: bool,
    pub usage: Usage,
    /// How long the answer took.
    pub micros: u64,
    /// Providers that failed before this one answered.
    pub failed: Vec<FailedProvider>,
    /// What the host repaired, as `code: text`.
    pub notes: Vec<Note>,
    /// `null` when the reply held no patch.
    pub format: Option<PatchFormat>,
    /// `null` when the patch was not placed.
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// Why the round was not accepted; `null` when it was.
    #[serde(rename = "setback")]
    pub failure: Option<RefusalReport>,
    /// `null` when no guard ran.
    pub check: Option<CheckReport>,
    /// What the provider is told in the next round; `null` after an accepted round.
    pub feedback: Option<String>,
    /// The ref that keeps the rejected attempt: `refs/guardhost/rejected/<run>/<round>`.
    pub kept: Option<String>,
    /// The ref of the largest part of the attempt that the guards accept: `refs/guardhost/rejected/<run>/<round>-part`; `null` where none was
    /// found or looked for.
    pub part: Option<String>,
}

/// A provider that gave no answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "failedProvider")]
pub struct FailedProvider {
    pub provider: String,
    pub reason: String,
}
