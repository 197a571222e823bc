//! Events of runs: the lines of a run's trace.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a trace. Within a run, `n` counts from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    pub n: u64,
    /// The line's `event`.
    pub name: String,
    /// The whole line.
    pub data: Value,
}

impl RunEvent {
    /// Bytes of JSON that the data of one event may have; a server refuses a larger one.
    pub const MAX_DATA_BYTES: usize = 1 << 20;

    /// Bytes that the data has as JSON.
    pub fn data_bytes(&self) -> usize {
        serde_json::to_vec(&self.data).map_or(usize::MAX, |json| json.len())
    }
}

/// Events of one run, in order. Those that the server has already are skipped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventBatch {
    #[serde(default)]
    pub repo: String,
    pub run: String,
    pub events: Vec<RunEvent>,
    /// Who sends them. Of clients that do not say, empty.
    #[serde(default, skip_serializing_if = "EventSource::is_empty")]
    pub from: EventSource,
}

/// Where a run goes on, in words that people know. Each is empty where it is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventSource {
    /// The repository: `host/owner/name` of its remote.
    pub repository: String,
    /// Who commits there: git's `user.name`.
    pub person: String,
    pub machine: String,
    /// The agent whose shell started it.
    pub agent: String,
}

impl EventSource {
    fn is_empty(&self) -> bool {
        *self == EventSource::default()
    }
}

/// An event as the server keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredEvent {
    /// The server's sequence number: rises over all runs, and in this order events become visible.
    pub seq: u64,
    pub ts: String,
    pub repo: String,
    pub run: String,
    #[serde(flatten)]
    pub event: RunEvent,
}

/// The answer to a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appended {
    /// Events that were new.
    pub added: u64,
    /// The highest sequence number of the batch's events.
    pub last_seq: u64,
}
