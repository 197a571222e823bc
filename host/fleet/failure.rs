//! Whose a failure is: it is counted there, and nowhere else.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Who has to do something about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureOwner {
    /// The job cannot be judged anywhere: its base is nowhere, its pack is none, its rules are wrong.
    Job,
    /// Judging it panicked, or ended the process: poison, if it happens again and again.
    Crash,
    /// This worker cannot: it was not allowed the remote, has other guards, no room on its disk.
    Worker,
    /// The queue did not hand out what belongs to the job.
    Queue,
    /// The remote cannot be reached.
    Remote,
}

/// Why a job was not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFailure {
    /// For people.
    pub reason: String,
    pub owner: FailureOwner,
}

impl JobFailure {
    pub fn new(owner: FailureOwner, reason: impl Into<String>) -> Self {
        JobFailure { reason: reason.into(), owner }
    }

    /// Whether the same may work in a while, or elsewhere.
    pub fn is_passing(&self) -> bool {
        match self.owner {
            FailureOwner::Job => false,
            FailureOwner::Crash | FailureOwner::Worker | FailureOwner::Queue | FailureOwner::Remote => true,
        }
    }
}

/// Why a job was put aside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadCause {
    /// It is the job's own: see [`FailureOwner::Job`].
    #[default]
    Job,
    /// Workers died while they judged it.
    Crash,
    /// No worker that is there may take it.
    NoWorker,
    /// Its remote could not be reached for an hour.
    Remote,
}

impl DeadCause {
    pub const ALL: [DeadCause; 4] = [DeadCause::Job, DeadCause::Crash, DeadCause::NoWorker, DeadCause::Remote];

    /// Stable, kebab-case.
    pub fn as_str(self) -> &'static str {
        match self {
            DeadCause::Job => "job",
            DeadCause::Crash => "crash",
            DeadCause::NoWorker => "no-worker",
            DeadCause::Remote => "remote",
        }
    }

    /// Whether a job that is submitted again is judged again: what stops workers is taken in again by a person alone.
    pub fn is_tried_again(self) -> bool {
        match self {
            DeadCause::Crash => false,
            DeadCause::Job | DeadCause::NoWorker | DeadCause::Remote => true,
        }
    }
}

/// What is known of a job that was handed out before, beside its verdict. Only jobs that came back have one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobHistory {
    /// How often a worker died while it judged the job.
    pub crashes: u32,
    /// Who judges it now. A worker that dies leaves this mark behind; one that dies before, while it fetches, leaves none.
    pub judging: Option<String>,
    /// Workers that cannot judge it, by their keys.
    pub not_by: BTreeMap<String, NotBy>,
    /// Since when its remote cannot be reached: RFC 3339.
    pub unreachable_since: Option<String>,
}

/// Why a worker does not judge a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotBy {
    pub reason: String,
    /// It was not allowed to, or has other guards; not: its disk was full.
    pub may_not: bool,
    /// RFC 3339.
    pub at: String,
}

impl NotBy {
    pub fn now(reason: &str, may_not: bool) -> Self {
        NotBy { reason: reason.to_owned(), may_not, at: Timestamp::now().to_string() }
    }

    pub fn age(&self) -> Duration {
        since(&self.at)
    }
}

impl JobHistory {
    /// Counts a worker that died while it judged the job; true if one did.
    pub fn take_crash(&mut self) -> bool {
        let died = self.judging.take().is_some();
        self.crashes += u32::from(died);
        died
    }

    /// How long the remote could not be reached by now.
    pub fn unreachable(&mut self) -> Duration {
        since(self.unreachable_since.get_or_insert_with(|| Timestamp::now().to_string()))
    }
}

/// A clock that went back makes it shorter, and never longer than it is.
fn since(at: &str) -> Duration {
    let at = at.parse::<Timestamp>().ok();
    at.and_then(|at| Timestamp::now().duration_since(at).try_into().ok()).unwrap_or_default()
}
