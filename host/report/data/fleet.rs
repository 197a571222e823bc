//! `host submit` and `host fleet status`: what a fleet says of a change, and of itself.

use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What a fleet says of a change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "submit")]
pub struct SubmitReport {
    /// 64 hex digits. `host submit --job ID` asks for its result later.
    pub job: String,
    /// `fast` or `heavy`; `unknown` with `--job`.
    pub class: &'static str,
    pub outcome: SubmitOutcome,
    /// As of [`host check`](#check), without `notices`, `micros`, `cached` and `reused`.
    pub check: Option<Value>,
    /// Name and public key; `null` while nobody judged.
    pub worker: Option<String>,
    pub reason: Option<String>,
    /// What the worker remarked.
    pub notices: Vec<String>,
    /// The line of `host submit --stdin`; `null` without it.
    pub range: Option<String>,
}

/// What is known of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "submitOutcome")]
pub enum SubmitOutcome {
    Accepted,
    Rejected,
    /// A guard failed, on two machines.
    Failed,
    /// It edits the rules.
    Refused,
    /// There is no result yet.
    Waiting,
    /// No worker could judge it.
    Dead,
    /// The worker's key is unknown.
    Unbelieved,
}

serialized_names!(SubmitOutcome);

/// What a fleet says of itself.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "fleet")]
pub struct FleetReport {
    pub lanes: Vec<FleetLane>,
    pub workers: Vec<FleetWorker>,
    /// Jobs that were put aside.
    pub dead: u64,
    pub object_bytes: u64,
    /// At these `host submit` is refused.
    pub most_object_bytes: u64,
    /// The newest of these jobs.
    pub newest_dead: Vec<FleetDead>,
    /// The newest ten, the newest first.
    pub alarms: Vec<FleetAlarm>,
}

/// Jobs of one kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fleetLane")]
pub struct FleetLane {
    /// `fast`, `heavy`, or `audit`: second judgements.
    pub lane: &'static str,
    pub waiting: u64,
    pub leased: u64,
    /// Of the oldest job without a result.
    pub oldest_millis: u64,
}

/// Heard of within the last hour.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fleetWorker")]
pub struct FleetWorker {
    pub name: String,
    pub key: String,
    pub version: String,
    pub slots: u32,
    pub busy: u32,
    /// Since its start.
    pub judged: u64,
    pub last_minute: u64,
    #[serde(rename = "draining")]
    pub is_draining: bool,
    /// Why it takes no jobs at the moment.
    pub stopped: Option<String>,
    /// Since its start.
    pub own_failures: u64,
    pub left_to_others: u64,
    pub last_heard_millis: u64,
    /// No key that `--fleet-keys` lists signed this, so it counts nowhere. False where no keys are listed.
    #[serde(rename = "unbelieved")]
    pub is_unbelieved: bool,
}

/// A job that was put aside.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fleetDead")]
pub struct FleetDead {
    pub job: String,
    pub reason: String,
    /// `job`, `crash`, `no-worker` or `remote`.
    pub cause: &'static str,
    pub attempts: u32,
    pub at: String,
}

/// Something that a person should look at.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fleetAlarm")]
pub struct FleetAlarm {
    /// `nondeterminism`, `wrong-verdict`, `unknown-key` or `unreadable-job`.
    pub kind: &'static str,
    pub job: String,
    pub workers: Vec<String>,
    pub detail: String,
    pub at: String,
}
