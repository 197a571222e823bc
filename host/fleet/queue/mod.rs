//! The engine of a fleet, behind one trait: memory for one process, NATS JetStream, or PostgreSQL.
//!
//! All hold the same promises, which `tests/conformance/` holds them to:
//! - a job that was taken in ends in exactly one result, or among the dead with a reason; nothing else ends it, no `kill -9` either;
//! - a job waits once, however often it is submitted;
//! - a job is leased to one worker at a time; without a word of that worker it comes back, however often, and counts how often it was
//!   handed out. Who has to do something about it is for workers to say (`crate::failure`);
//! - the first result is kept, and never replaced;
//! - a full queue refuses new jobs.

pub mod access;
pub mod address;
pub mod error;
pub mod lease;
pub mod memory;
pub mod nats;
pub mod postgres;
mod signed_beat;
pub mod status;

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::alarm::{Alarm, AlarmKind};
use crate::failure::{DeadCause, JobHistory};
use crate::hex;
use crate::job::{Job, JobId, Lane};
use crate::keys::WorkerKey;
use crate::result::SignedResult;

pub use address::Address;
pub use error::{QueueError, Result};
pub use lease::Lease;
pub use status::{BeatStanding, LaneStatus, Status, WorkerBeat, WorkerStatus};

/// An entry of a queue that no worker could read for so many leases is dropped, with an alarm: ten minutes with the usual lease, in which a
/// worker of another version would have taken it.
const UNREADABLE: u32 = 60;

/// What came of a job that was submitted.
#[derive(Debug, Clone, PartialEq)]
pub enum Submitted {
    /// It waits now.
    Accepted,
    /// It waited already, or is being judged.
    Waiting,
    /// It was judged before.
    Judged(Box<SignedResult>),
    /// It was put aside before. [`Queue::retry`] takes it in again.
    Dead(Box<DeadJob>),
}

/// A job that a worker has.
#[derive(Debug)]
pub struct Claimed {
    pub job: Job,
    pub lease: Lease,
    /// How often it was handed out, with this time: from 1.
    pub attempt: u32,
}

/// What came of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completed {
    /// It is the job's result from now on.
    First,
    /// There is one. The caller compares them.
    Present(Box<SignedResult>),
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    Judged(Box<SignedResult>),
    Dead(Box<DeadJob>),
}

/// A job that was put aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadJob {
    pub job: Job,
    /// For people.
    pub reason: String,
    #[serde(default)]
    pub cause: DeadCause,
    /// How often it was handed out.
    pub attempts: u32,
    /// How often it was taken in again before: part of the name under which servers know duplicates.
    #[serde(default)]
    pub retries: u32,
    /// When, by the clock of the machine that put it aside: RFC 3339.
    pub at: String,
}

/// See the module. Operations try again while the server cannot be reached, for the patience of the settings.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Takes a job in, in its lane. A second judgement is taken in though the job has a result.
    ///
    /// # Errors
    /// [`QueueError::Full`].
    async fn submit(&self, job: &Job) -> Result<Submitted>;

    /// The oldest job of a lane; waits for one at most so long.
    async fn claim(&self, worker: &str, lane: Lane, wait: Duration) -> Result<Option<Claimed>>;

    /// Makes a lease last from now on. False when it is over: another worker may have the job.
    async fn extend(&self, lease: &Lease) -> Result<bool>;

    /// Hands the job to another worker, after a while.
    async fn give_back(&self, lease: Lease, delay: Duration) -> Result<()>;

    /// Ends a job with its result. A lease that is over does no harm: the first result counts, whoever brings it.
    async fn complete(&self, lease: Lease, result: &SignedResult) -> Result<Completed>;

    /// Ends the second judgement of a job, or a job that has its result by now.
    async fn end(&self, lease: Lease) -> Result<()>;

    /// Ends a job without a result. Not so, if it has one by now.
    async fn bury(&self, lease: Lease, attempts: u32, cause: DeadCause, reason: &str) -> Result<()>;

    /// Takes a dead job in again, as it was, or as it was submitted now; false when there is none. What was known of it is forgotten.
    ///
    /// # Errors
    /// [`QueueError::Full`]: it stays among the dead.
    async fn retry(&self, id: &JobId, anew: Option<&Job>) -> Result<bool>;

    /// Takes a job in once more whose result is not believed.
    async fn judge_again(&self, job: &Job) -> Result<()>;

    /// Puts a result in the place of one that no known key signed.
    async fn replace_result(&self, id: &JobId, result: &SignedResult) -> Result<()>;

    /// What is known of a job that came back; nothing of one that did not.
    async fn history(&self, id: &JobId) -> Result<JobHistory>;
    async fn put_history(&self, id: &JobId, history: &JobHistory) -> Result<()>;

    async fn result(&self, id: &JobId) -> Result<Option<SignedResult>>;
    async fn dead(&self, id: &JobId) -> Result<Option<DeadJob>>;
    /// The newest of them.
    async fn all_dead(&self, limit: usize) -> Result<Vec<DeadJob>>;

    /// Waits for the end of a job; None when the time is over.
    async fn wait(&self, id: &JobId, most: Duration) -> Result<Option<Ended>>;

    /// Deletes what is old. Every worker does so every now and then.
    async fn tidy(&self) -> Result<()>;

    async fn raise(&self, alarm: &Alarm) -> Result<()>;
    /// The newest of them, newest first.
    async fn alarms(&self, limit: usize) -> Result<Vec<Alarm>>;

    /// A worker says that it is there, and signs it.
    async fn beat(&self, beat: &WorkerBeat, key: &WorkerKey) -> Result<()>;
    /// With the standing of each beat, by the keys that the settings believe.
    async fn status(&self) -> Result<Status>;

    /// Bytes under their SHA-256; what else stands there is replaced.
    ///
    /// # Errors
    /// [`QueueError::Full`].
    async fn put_object(&self, bytes: &[u8]) -> Result<String>;
    /// None when it is not there any more, and when other bytes stand in its place.
    async fn object(&self, sha256: &str) -> Result<Option<Vec<u8>>>;
    /// Whether or not it is there.
    async fn drop_object(&self, sha256: &str) -> Result<()>;

    /// Kept verdicts, signed, under a name of 64 hex digits; the newest replace older ones.
    async fn put_verdicts(&self, name: &str, bytes: &[u8]) -> Result<()>;
    async fn verdicts(&self, name: &str) -> Result<Option<Vec<u8>>>;
}

/// For an entry that no worker could read, and that was dropped.
fn unreadable_entry(entry: &[u8], why: &str) -> Result<Alarm> {
    let id = JobId::try_from(hex::sha256(entry)).map_err(QueueError::Foreign)?;
    let detail = format!("{why}; the job was dropped, and its id is that of its bytes");
    Ok(Alarm::new(AlarmKind::UnreadableJob, &id, &[], &detail))
}
