//! `host run`: a task, asked for and judged round by round.

use std::path::PathBuf;

use guardhost_core::written::{OptionalHex, OptionalPathText};
use schemars::JsonSchema;
use serde::Serialize;

use super::check::CheckReport;
use super::refusal::RefusalReport;
use guardhost_core::change::{Budget, Note, Oid, PatchFormat, RunOutcome, Strategy, Touched, Usage};

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "run")]
pub struct RunReport {
    /// A UUIDv7.
    pub run: String,
    pub outcome: RunOutcome,
    pub task: String,
    /// The folder that `--repo` names, for commands that come next; None for the current one.
    #[serde(skip)]
    pub repo: Option<PathBuf>,
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// The run's own: `guardhost/let-x-accept-none-1f3a9c2e`.
    pub branch: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: Vec<RoundReport>,
    pub rounds_max: u32,
    /// Guards that rejected the same patch with the same findings twice, if that ended the run.
    pub cycle: Vec<String>,
    pub diff: Option<String>,
    /// Unless the last round shows it.
    pub why: Option<String>,
    pub budget: Budget,
    pub spent: Usage,
    /// The path of the [trace](records.md#the-trace).
    #[serde(with = "OptionalPathText")]
    pub trace: Option<PathBuf>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "round")]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    /// The requested format and the prompt's version: `unified-diff/3`.
    pub prompt: &'static str,
    pub provider: String,
    pub model: Option<String>,
    /// From a recording.
    pub recorded: bool,
    pub usage: Usage,
    pub micros: u64,
    pub failed: Vec<FailedProvider>,
    /// Repairs, as `code: text`.
    pub notes: Vec<Note>,
    pub format: Option<PatchFormat>,
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    #[serde(rename = "setback")]
    pub failure: Option<RefusalReport>,
    pub check: Option<CheckReport>,
    /// For the next round.
    pub feedback: Option<String>,
    /// The ref of a rejected attempt: `refs/guardhost/rejected/<run>/<round>`.
    pub kept: Option<String>,
    /// Ref of the largest part that the guards accept: `…/<round>-part`.
    pub part: Option<String>,
}

/// A provider that gave no answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "failedProvider")]
pub struct FailedProvider {
    pub provider: String,
    pub reason: String,
}
