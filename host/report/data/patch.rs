//! `host patch`: one file updated to match the staged change of another.

use std::path::PathBuf;

use guardhost_core::change::{RepoPath, RunOutcome};

use guardhost_core::written::PathTexts;
use schemars::JsonSchema;
use serde::Serialize;

use super::ApplyReport;

/// About the last attempt.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "patch")]
pub struct PatchReport {
    /// The last attempt.
    #[serde(flatten)]
    pub apply: ApplyReport,
    pub run: String,
    /// Never `committed`.
    pub outcome: RunOutcome,
    pub source: RepoPath,
    pub target: RepoPath,
    pub error: Option<NamedError>,
    pub rounds: usize,
    /// What each attempt produced.
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
