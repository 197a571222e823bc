//! What a fleet does at the moment.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::DeadJob;
use crate::alarm::Alarm;
use crate::job::Lane;
use crate::keys::PublicKey;

/// Of one lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneStatus {
    pub lane: Lane,
    /// Jobs that no worker has.
    pub waiting: u64,
    /// Jobs that are being judged.
    pub leased: u64,
    /// The age of the oldest job that has no result; zero without one. This is what tells whether there are enough workers.
    pub oldest: Duration,
}

/// What a worker says of itself, every few seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerBeat {
    pub name: String,
    pub key: PublicKey,
    pub version: String,
    /// Jobs at once, of all lanes.
    pub slots: u32,
    /// Jobs that it judges now.
    pub busy: u32,
    /// Jobs that it judged since it started.
    pub judged: u64,
    /// Of these, jobs of the last minute.
    pub last_minute: u64,
    /// It takes no more jobs.
    pub is_draining: bool,
    /// From where it may fetch.
    #[serde(default)]
    pub remotes: Vec<String>,
    /// Why it takes no jobs at the moment.
    #[serde(default)]
    pub stopped: Option<String>,
    /// Its own failures since it started.
    #[serde(default)]
    pub own_failures: u64,
    #[serde(default)]
    pub left_to_others: u64,
}

/// Whether a beat counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeatStanding {
    /// A listed key signed it.
    Believed,
    /// Keys are listed, and none of them signed it for now: anyone may have written it.
    NotBelieved,
    /// No keys are listed here.
    NotChecked,
}

impl BeatStanding {
    /// Whether the worker is one for figures and for decisions about jobs.
    pub fn counts(self) -> bool {
        match self {
            BeatStanding::Believed | BeatStanding::NotChecked => true,
            BeatStanding::NotBelieved => false,
        }
    }
}

/// A worker, as it was last heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerStatus {
    pub beat: WorkerBeat,
    pub last_heard: Duration,
    pub standing: BeatStanding,
}

impl WorkerStatus {
    /// It was heard of within so long, and takes jobs.
    pub fn is_there(&self, within: Duration) -> bool {
        self.last_heard < within && !self.beat.is_draining
    }
}

/// A worker that was not heard of for so long is not shown.
pub const GONE: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    pub lanes: Vec<LaneStatus>,
    /// By name. For whom they count: [`Status::counted`].
    pub workers: Vec<WorkerStatus>,
    pub dead: u64,
    /// Bytes of packs and large results, and how many there may be.
    pub object_bytes: u64,
    pub most_object_bytes: u64,
    /// The newest.
    pub newest_dead: Vec<DeadJob>,
    /// The newest first.
    pub alarms: Vec<Alarm>,
}

impl Status {
    /// The workers whose beats count.
    pub fn counted(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.workers.iter().filter(|worker| worker.standing.counts())
    }
}
