//! `host pr open`: the pull request of a run.

use guardhost_core::change::Oid;
use guardhost_core::serialized_names;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CheckReport, ReviewReport};

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
    pub check: CheckReport,
    /// `null`: rejected, nothing was pushed.
    pub pull: Option<OpenedPull>,
    pub review: Option<Box<ReviewReport>>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "openedPull")]
pub struct OpenedPull {
    pub number: u64,
    pub url: String,
    pub base: String,
    pub action: StepDone,
    pub push: PushDone,
    pub comments: CommentCounts,
    /// The comment that sums up.
    pub summary: StepDone,
    /// Only apps can write one.
    pub check_run: bool,
    pub sarif: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "stepDone")]
pub enum StepDone {
    Made,
    Changed,
    Unchanged,
}

serialized_names!(StepDone);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "pushDone")]
pub enum PushDone {
    Created,
    Updated,
    UpToDate,
}

serialized_names!(PushDone);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "comments")]
pub struct CommentCounts {
    pub new: usize,
    pub kept: usize,
    pub reopened: usize,
    /// Of findings that are gone.
    pub resolved: usize,
    /// In the summary alone.
    pub summarised: usize,
    /// Not taken by the forge.
    pub refused: usize,
}
