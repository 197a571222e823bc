//! What a client asks models for, through the host.

use guardhost_provider::Cancel;
use serde_json::Value;

/// A review of what is not committed.
#[derive(Debug, Clone, Default)]
pub struct ReviewAsk {
    pub staged: bool,
    pub task: Option<String>,
    pub critics: Vec<String>,
    pub voters: Vec<String>,
    pub author: Option<String>,
    pub provider: Option<String>,
    /// Ends this review alone.
    pub cancel: Cancel,
}

/// The pull request of a run.
#[derive(Debug, Clone, Default)]
pub struct PullAsk {
    /// Open it, or bring the open one up to date; without it, tell how it stands.
    pub open: bool,
    /// The beginning of its id, or its branch; the newest that committed something without it.
    pub run: Option<String>,
    pub title: Option<String>,
    pub draft: bool,
    pub labels: Vec<String>,
}

/// Fixes of issues: of a list, of a SARIF file of the work tree, or of a run that stopped.
#[derive(Debug, Clone, Default)]
pub struct FixAsk {
    pub issues: Option<Value>,
    pub sarif: Option<String>,
    pub resume: Option<String>,
    pub reviewers: Vec<String>,
    pub provider: Option<String>,
    pub accept_touched: bool,
    /// Ends these fixes alone.
    pub cancel: Cancel,
}
