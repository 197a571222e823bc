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
    /// `null` in a repository without commits.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// The run's own: `guardhost/let-x-accept-none-1f3a9c2e`.
    pub branch: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    /// The last that was allowed.
    pub rounds_max: u32,
    /// Guards that rejected the same patch with the same findings twice, if that ended the run.
    pub cycle: Vec<String>,
    /// As a git diff.
    pub diff: Option<String>,
    /// `null` when the last round shows it.
    pub why: Option<String>,
    /// The limits of the run.
    pub budget: Budget,
    /// As far as the providers report it.
    pub spent: Usage,
    /// The path of the [trace](records.md#the-trace).
    #[serde(with = "OptionalPathText")]
    pub trace: Option<PathBuf>,
    /// Also about an absent [observer](observer.md).
    pub notices: Vec<String>,
    pub micros: u64,
}

/// One question to a provider, and its reply.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "round")]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The requested format and the prompt's version: `unified-diff/3`.
    pub prompt: &'static str,
    /// The provider that answered.
    pub provider: String,
    /// `null` when the provider names none.
    pub model: Option<String>,
    /// The answer came from a recording.
    pub recorded: bool,
    pub usage: Usage,
    /// How long the answer took.
    pub micros: u64,
    /// Those before this one.
    pub failed: Vec<FailedProvider>,
    /// What the host repaired, as `code: text`.
    pub notes: Vec<Note>,
    /// `null` without a patch.
    pub format: Option<PatchFormat>,
    /// `null` when the patch was not placed.
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// `null` when the round was accepted.
    #[serde(rename = "setback")]
    pub failure: Option<RefusalReport>,
    /// `null` when no guard ran.
    pub check: Option<CheckReport>,
    /// For the next round; `null` after an accepted one.
    pub feedback: Option<String>,
    /// The ref of the rejected attempt: `refs/guardhost/rejected/<run>/<round>`.
    pub kept: Option<String>,
    /// The ref of the largest part that the guards accept: `refs/guardhost/rejected/<run>/<round>-part`.
    pub part: Option<String>,
}

/// A provider that gave no answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "failedProvider")]
pub struct FailedProvider {
    pub provider: String,
    pub reason: String,
}
