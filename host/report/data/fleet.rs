//! `host submit` and `host fleet status`: what a fleet says of a change, and of itself.

use guardhost_core::serialized_names;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "submit")]
pub struct SubmitReport {
    /// 64 hex digits, for `host submit --job`.
    pub job: String,
    /// `fast` or `heavy`; `unknown` with `--job`.
    pub class: &'static str,
    pub outcome: SubmitOutcome,
    /// As of [`host check`](#check), without `notices`, `micros`, `cached` and `reused`.
    pub check: Option<Value>,
    /// Name and public key.
    pub worker: Option<String>,
    pub reason: Option<String>,
    /// Of the worker.
    pub notices: Vec<String>,
    /// The line of `--stdin`.
    pub range: Option<String>,
}

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
    Waiting,
    /// No worker could judge it.
    Dead,
    /// Unknown key of the worker.
    Unbelieved,
}

serialized_names!(SubmitOutcome);

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "fleet")]
pub struct FleetReport {
    pub lanes: Vec<FleetLane>,
    pub workers: Vec<FleetWorker>,
    /// Jobs that were given up.
    pub dead: u64,
    pub object_bytes: u64,
    /// From here on `host submit` is refused.
    pub most_object_bytes: u64,
    pub newest_dead: Vec<FleetDead>,
    /// The newest ten.
    pub alarms: Vec<FleetAlarm>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fleetLane")]
pub struct FleetLane {
    /// `fast`, `heavy`, or `audit`: second judgements.
    pub lane: &'static str,
    pub waiting: u64,
    pub leased: u64,
    pub oldest_millis: u64,
}

/// Of the last hour.
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
    /// Why it takes no jobs.
    pub stopped: Option<String>,
    /// Since its start.
    pub own_failures: u64,
    pub left_to_others: u64,
    pub last_heard_millis: u64,
    /// No key that `--fleet-keys` lists signed this, so it counts nowhere. False where no keys are listed.
    #[serde(rename = "unbelieved")]
    pub is_unbelieved: bool,
}

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
