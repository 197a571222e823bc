//! `host pr open`: the pull request of a run.

use guardhost_core::change::Oid;
use guardhost_core::serialized_names;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CheckReport, ReviewReport};

/// A pull request, and what the guards say of it.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "pull")]
pub struct PullReport {
    pub run: String,
    /// The run that made the change.
    pub of: String,
    /// The branch at the forge.
    pub branch: String,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Of the whole pull request.
    pub check: CheckReport,
    /// `null` when they reject it: nothing was pushed.
    pub pull: Option<OpenedPull>,
    /// With `--review`.
    pub review: Option<Box<ReviewReport>>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What is at the forge now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "openedPull")]
pub struct OpenedPull {
    pub number: u64,
    pub url: String,
    pub base: String,
    pub action: StepDone,
    pub push: PushDone,
    pub comments: CommentCounts,
    /// The one comment that sums up.
    pub summary: StepDone,
    /// Only apps can write one.
    pub check_run: bool,
    pub sarif: bool,
}

/// What one step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "stepDone")]
pub enum StepDone {
    Made,
    Changed,
    Unchanged,
}

serialized_names!(StepDone);

/// What became of the branch at the forge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pushDone")]
pub enum PushDone {
    Created,
    Updated,
    UpToDate,
}

serialized_names!(PushDone);

/// Findings by what became of their comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "comments")]
pub struct CommentCounts {
    pub new: usize,
    /// They had one already.
    pub kept: usize,
    /// Open again.
    pub reopened: usize,
    /// Comments of findings that are gone.
    pub resolved: usize,
    /// In the summary alone.
    pub summarised: usize,
    /// Of these, not taken by the forge.
    pub refused: usize,
}
