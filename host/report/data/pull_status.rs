//! `host pr status`: how a pull request stands.

use guardhost_core::change::Oid;

use super::{BuildRow, BuildsOutcome};

#[derive(Debug, Clone)]
pub struct PullStatusReport {
    /// The run that made the change.
    pub of: String,
    /// The branch at the forge.
    pub branch: String,
    /// What the branch is here.
    pub commit: Option<Oid>,
    /// None: no pull request of the branch is open.
    pub pull: Option<PullStanding>,
    pub notices: Vec<String>,
}

/// An open pull request.
#[derive(Debug, Clone)]
pub struct PullStanding {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub base: String,
    pub draft: bool,
    /// Its commit at the forge.
    pub commit: String,
    pub merge: Mergeability,
    /// None while a build is at work, or before the first.
    pub outcome: Option<BuildsOutcome>,
    pub builds: Vec<BuildRow>,
    /// The host's comments on lines.
    pub findings: FindingCounts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FindingCounts {
    pub open: usize,
    pub resolved: usize,
}

/// Whether it can be merged, as the forge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mergeability {
    /// The forge has not computed it yet.
    Unknown,
    Clean,
    Conflicts,
    /// Checks or reviews are missing, or the branch is behind.
    Blocked,
}

impl Mergeability {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Mergeability::Unknown => "unknown",
            Mergeability::Clean => "clean",
            Mergeability::Conflicts => "conflicts",
            Mergeability::Blocked => "blocked",
        }
    }
}
