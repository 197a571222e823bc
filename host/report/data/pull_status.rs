//! `host pr status`: how a pull request stands.

use guardhost_core::change::Oid;
use guardhost_core::serialized_names;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{BuildRow, BuildsOutcome};

/// How a pull request stands.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pullStatus")]
pub struct PullStatusReport {
    /// The run that made the change.
    pub of: String,
    /// The branch at the forge.
    pub branch: String,
    /// What the branch is here.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// `null`: no pull request of the branch is open.
    pub pull: Option<PullStanding>,
    pub notices: Vec<String>,
}

/// An open pull request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pullStanding")]
pub struct PullStanding {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub base: String,
    pub draft: bool,
    /// Its commit at the forge.
    pub commit: String,
    pub merge: Mergeability,
    /// `null` before all have ended.
    pub outcome: Option<BuildsOutcome>,
    pub builds: Vec<BuildRow>,
    /// The host's comments on lines.
    pub findings: FindingCounts,
}

/// Comments of the host on lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "findingCounts")]
pub struct FindingCounts {
    pub open: usize,
    pub resolved: usize,
}

/// Whether it can be merged, as the forge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "mergeability")]
pub enum Mergeability {
    /// The forge has not computed it yet.
    Unknown,
    Clean,
    Conflicts,
    /// Checks or reviews are missing, or the branch is behind.
    Blocked,
}

serialized_names!(Mergeability);
