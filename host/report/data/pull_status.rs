//! `host pr status`: how a pull request stands.

use guardhost_core::change::Oid;
use guardhost_core::serialized_names;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{BuildRow, BuildsOutcome};

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pullStatus")]
pub struct PullStatusReport {
    /// The run that made the change.
    pub of: String,
    /// The branch at the forge.
    pub branch: String,
    /// The local one.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// `null`: none is open.
    pub pull: Option<PullStanding>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "pullStanding")]
pub struct PullStanding {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub base: String,
    pub draft: bool,
    /// At the forge.
    pub commit: String,
    pub merge: Mergeability,
    pub outcome: Option<BuildsOutcome>,
    pub builds: Vec<BuildRow>,
    /// Comments of the host on lines.
    pub findings: FindingCounts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "findingCounts")]
pub struct FindingCounts {
    pub open: usize,
    pub resolved: usize,
}

/// As the forge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "mergeability")]
pub enum Mergeability {
    /// Not computed yet.
    Unknown,
    Clean,
    Conflicts,
    /// Checks or reviews are missing, or the branch is behind.
    Blocked,
}

serialized_names!(Mergeability);
