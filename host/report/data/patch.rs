//! `host patch`: one file updated to match the staged change of another.

use std::path::PathBuf;

use guardhost_core::change::{RepoPath, RunOutcome};

use guardhost_core::written::PathTexts;
use schemars::JsonSchema;
use serde::Serialize;

use super::ApplyReport;

/// What `host patch` did: the keys of [apply](#apply), about the last attempt, and how it came about.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "patch")]
pub struct PatchReport {
    /// The last attempt.
    #[serde(flatten)]
    pub apply: ApplyReport,
    /// The id of the run, for `host log`.
    pub run: String,
    /// Never `committed`.
    pub outcome: RunOutcome,
    pub source: RepoPath,
    pub target: RepoPath,
    /// `null` unless the change was rejected or the budget exceeded.
    pub error: Option<NamedError>,
    /// Number of attempts.
    pub rounds: usize,
    /// Files that keep what each attempt produced.
    #[serde(with = "PathTexts")]
    pub artifacts: Vec<PathBuf>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "namedError")]
pub struct NamedError {
    /// One of [these](patch.md#errors).
    pub code: &'static str,
    pub message: String,
}
