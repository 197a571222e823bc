//! `host submit` and `host fleet status`: what a fleet says of a change, and of itself.

use serde_json::Value;

/// `host submit`.
#[derive(Debug, Clone)]
pub struct SubmitReport {
    /// The id of the job: 64 hex digits.
    pub job: String,
    /// `fast` or `heavy`.
    pub class: &'static str,
    pub outcome: SubmitOutcome,
    /// The check of the worker, as `host check` says it, without times and without what differs between machines. None without one.
    pub check: Option<Value>,
    /// Who judged: name and key. None while nobody did.
    pub worker: Option<String>,
    /// Why there is no verdict that counts.
    pub reason: Option<String>,
    pub notices: Vec<String>,
}

/// What is known of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitOutcome {
    Accepted,
    Rejected,
    /// A guard failed, on two machines.
    Failed,
    /// The change was not judged: it edits the rules.
    Refused,
    /// There is no result yet.
    Waiting,
    /// No worker could judge it.
    Dead,
    /// Nobody knows the key of the worker that answered.
    Unbelieved,
}

impl SubmitOutcome {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            SubmitOutcome::Accepted => "accepted",
            SubmitOutcome::Rejected => "rejected",
            SubmitOutcome::Failed => "failed",
            SubmitOutcome::Refused => "refused",
            SubmitOutcome::Waiting => "waiting",
            SubmitOutcome::Dead => "dead",
            SubmitOutcome::Unbelieved => "unbelieved",
        }
    }
}

/// `host fleet status`.
#[derive(Debug, Clone, Default)]
pub struct FleetReport {
    pub lanes: Vec<FleetLane>,
    pub workers: Vec<FleetWorker>,
    /// Jobs that were put aside.
    pub dead: u64,
    /// The newest of them.
    pub newest_dead: Vec<FleetDead>,
    /// The newest first.
    pub alarms: Vec<FleetAlarm>,
}

/// Jobs of one kind.
#[derive(Debug, Clone)]
pub struct FleetLane {
    /// `fast`, `heavy`, or `audit`: second judgements.
    pub lane: &'static str,
    pub waiting: u64,
    pub leased: u64,
    /// Age of the oldest job without a result, in milliseconds.
    pub oldest_millis: u64,
}

#[derive(Debug, Clone)]
pub struct FleetWorker {
    pub name: String,
    pub key: String,
    pub version: String,
    pub slots: u32,
    pub busy: u32,
    pub judged: u64,
    pub last_minute: u64,
    pub is_draining: bool,
    /// Milliseconds since it was heard of.
    pub last_heard_millis: u64,
}

#[derive(Debug, Clone)]
pub struct FleetDead {
    pub job: String,
    pub reason: String,
    pub attempts: u32,
    pub at: String,
}

#[derive(Debug, Clone)]
pub struct FleetAlarm {
    /// Kebab-case.
    pub kind: &'static str,
    pub job: String,
    pub workers: Vec<String>,
    pub detail: String,
    pub at: String,
}
