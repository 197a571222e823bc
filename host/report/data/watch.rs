//! `host pr watch`: what the builds of a pull request came to.

use guardhost_core::change::{Oid, RunOutcome};

#[derive(Debug, Clone)]
pub struct WatchReport {
    /// The run in whose folder the command is recorded.
    pub run: String,
    /// The run that made the change.
    pub of: String,
    pub number: u64,
    pub url: String,
    /// The commit that was watched last.
    pub commit: Option<Oid>,
    pub outcome: BuildsOutcome,
    pub builds: Vec<BuildRow>,
    /// The failed jobs were started again.
    pub reran: bool,
    /// Changes that were asked for because of failures, oldest first.
    pub fixes: Vec<CiFix>,
    /// Why nothing more was done about a failure.
    pub stopped: Option<String>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What all builds of a commit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

impl BuildsOutcome {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            BuildsOutcome::Success => "success",
            BuildsOutcome::Failure => "failure",
            BuildsOutcome::Timeout => "timeout",
            BuildsOutcome::NoRuns => "no-runs",
            BuildsOutcome::ActionRequired => "action-required",
            BuildsOutcome::Skipped => "skipped",
            BuildsOutcome::Superseded => "superseded",
            BuildsOutcome::Closed => "closed",
        }
    }
}

#[derive(Debug, Clone)]
pub struct BuildRow {
    pub name: String,
    /// A word; None while it is at work.
    pub conclusion: Option<&'static str>,
    pub url: String,
}

/// A run of the host that was to mend a build.
#[derive(Debug, Clone)]
pub struct CiFix {
    pub run: String,
    pub outcome: RunOutcome,
    pub commit: Option<Oid>,
    /// What the failure is known by.
    pub signature: String,
}
