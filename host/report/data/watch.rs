//! `host pr watch`: what the builds of a pull request came to.

use guardhost_core::change::{Oid, RunOutcome};
use guardhost_core::serialized_names;
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "watch")]
pub struct WatchReport {
    pub run: String,
    /// The run that made the change.
    pub of: String,
    pub number: u64,
    pub url: String,
    /// The last watched.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub outcome: BuildsOutcome,
    pub builds: Vec<BuildRow>,
    /// Failed jobs were started again.
    pub reran: bool,
    /// Runs that were to fix a build, oldest first.
    pub fixes: Vec<CiFix>,
    pub stopped: Option<String>,
    pub notices: Vec<String>,
    pub micros: u64,
}

/// Of all builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "buildsOutcome")]
pub enum BuildsOutcome {
    Success,
    Failure,
    Timeout,
    NoRuns,
    ActionRequired,
    Skipped,
    Superseded,
    Closed,
}

serialized_names!(BuildsOutcome);

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "build")]
pub struct BuildRow {
    pub name: String,
    /// `success`, `failure`, `cancelled`, `timed-out`, `action-required`, `skipped`, `unknown`; `null` at work.
    pub conclusion: Option<&'static str>,
    pub url: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ciFix")]
pub struct CiFix {
    pub run: String,
    pub outcome: RunOutcome,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Of the failure.
    pub signature: String,
}
