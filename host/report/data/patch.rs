//! `host patch`: one file updated to match the staged change of another.

use std::path::PathBuf;

use guardhost_core::change::{RepoPath, RunOutcome};

use super::ApplyReport;

/// What `host patch` did.
#[derive(Debug, Clone)]
pub struct PatchReport {
    pub run: String,
    pub source: RepoPath,
    pub target: RepoPath,
    /// Never [`RunOutcome::Committed`].
    pub outcome: RunOutcome,
    /// The last attempt.
    pub apply: ApplyReport,
    /// None unless the change was rejected or the budget was exceeded.
    pub error: Option<NamedError>,
    /// Number of attempts.
    pub rounds: usize,
    /// Files that keep what each attempt produced.
    pub artifacts: Vec<PathBuf>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// An error with a code that scripts test for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedError {
    /// Stable, kebab-case.
    pub code: &'static str,
    pub message: String,
}
