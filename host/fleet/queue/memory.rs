//! The queue of one process: what one machine uses by itself, and the measure for the others.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::lease::Handle;
use super::status::GONE;
use super::{
    Claimed, Completed, DeadJob, Ended, LaneStatus, Lease, Queue, QueueError, Result, Status, Submitted, WorkerBeat,
    signed_beat,
};
use crate::alarm::Alarm;
use crate::failure::{DeadCause, JobHistory};
use crate::hex;
use crate::job::{Job, JobId, Lane};
use crate::keys::WorkerKey;
use crate::result::SignedResult;
use crate::settings::FleetSettings;

pub struct MemoryQueue {
    settings: FleetSettings,
    state: Mutex<MemoryQueueState>,
    /// A job may be free, or has ended.
    changed: Notify,
}

#[derive(Default)]
struct MemoryQueueState {
    next: i64,
    /// By the number of their arrival.
    jobs: BTreeMap<i64, QueuedJob>,
    results: HashMap<JobId, SignedResult>,
    dead: HashMap<JobId, DeadJob>,
    history: HashMap<JobId, JobHistory>,
    objects: HashMap<String, Vec<u8>>,
    verdicts: HashMap<String, Vec<u8>>,
    /// By their names, as they stand in a server.
    workers: BTreeMap<String, (Vec<u8>, Instant)>,
    alarms: Vec<Alarm>,
    bytes: u64,
}

struct QueuedJob {
    job: Job,
    since: Instant,
    attempts: u32,
    retries: u32,
    /// It waits until then; a lease lasts until then.
    until: Instant,
    lease: Option<i64>,
}

impl MemoryQueueState {
    fn number(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    fn add(&mut self, job: Job, retries: u32) {
        let (number, now) = (self.number(), Instant::now());
        self.jobs.insert(number, QueuedJob { job, since: now, attempts: 0, retries, until: now, lease: None });
    }

    fn in_lane(&self, lane: Lane) -> impl Iterator<Item = (&i64, &QueuedJob)> {
        self.jobs.iter().filter(move |(_, entry)| entry.job.lane() == lane)
    }

    /// The job of a lease that is not over.
    fn leased(&mut self, lease: &Lease) -> Option<(i64, &mut QueuedJob)> {
        let Handle::Number(number) = lease.handle else { return None };
        let now = Instant::now();
        let held = |entry: &QueuedJob| entry.lease == Some(number) && entry.until > now;
        self.jobs.iter_mut().find(|(_, entry)| held(entry)).map(|(at, entry)| (*at, entry))
    }

    fn drop_job(&mut self, id: &JobId, lane: Lane) -> Option<QueuedJob> {
        let at = self.in_lane(lane).find(|(_, entry)| entry.job.id() == *id).map(|(at, _)| *at)?;
        self.jobs.remove(&at)
    }

    fn bury(&mut self, entry: QueuedJob, attempts: u32, cause: DeadCause, reason: &str) {
        let id = entry.job.id();
        if entry.job.lane() == Lane::Audit || self.results.contains_key(&id) {
            return;
        }
        let (reason, at) = (reason.to_owned(), jiff::Timestamp::now().to_string());
        self.dead.insert(id, DeadJob { job: entry.job, reason, cause, attempts, retries: entry.retries, at });
    }
}

impl MemoryQueue {
    pub fn new(settings: FleetSettings) -> Self {
        MemoryQueue { settings, state: Mutex::default(), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, MemoryQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job, or when the next one may be free.
    fn take(&self, lane: Lane) -> std::result::Result<Claimed, Option<Instant>> {
        let (mut state, now) = (self.state(), Instant::now());
        let free = state.in_lane(lane).find(|(_, entry)| entry.until <= now).map(|(at, _)| *at);
        let Some(at) = free else { return Err(state.in_lane(lane).map(|(_, entry)| entry.until).min()) };
        let number = state.number();
        let entry = state.jobs.get_mut(&at).ok_or(None)?;
        entry.attempts += 1;
        (entry.lease, entry.until) = (Some(number), now + self.settings.lease);
        let (job, attempt) = (entry.job.clone(), entry.attempts);
        let lease = Lease { job: job.id(), lane, handle: Handle::Number(number) };
        Ok(Claimed { job, lease, attempt })
    }

    fn room(&self, state: &mut MemoryQueueState, bytes: usize) -> Result<()> {
        let all = state.bytes + bytes as u64;
        if all > self.settings.most_bytes {
            return Err(QueueError::NoRoom(format!("{} bytes are allowed", self.settings.most_bytes)));
        }
        state.bytes = all;
        Ok(())
    }
}

#[async_trait]
impl Queue for MemoryQueue {
    async fn submit(&self, job: &Job) -> Result<Submitted> {
        let (mut state, id, lane) = (self.state(), job.id(), job.lane());
        if lane != Lane::Audit {
            if let Some(result) = state.results.get(&id) {
                return Ok(Submitted::Judged(Box::new(result.clone())));
            }
            if let Some(dead) = state.dead.get(&id) {
                return Ok(Submitted::Dead(Box::new(dead.clone())));
            }
        }
        if state.in_lane(lane).any(|(_, entry)| entry.job.id() == id) {
            return Ok(Submitted::Waiting);
        }
        let most = self.settings.most_waiting;
        if state.in_lane(lane).count() as u64 >= most {
            return Err(QueueError::Full { lane, most });
        }
        state.add(job.clone(), 0);
        self.changed.notify_waiters();
        Ok(Submitted::Accepted)
    }

    async fn claim(&self, _: &str, lane: Lane, wait: Duration) -> Result<Option<Claimed>> {
        let end = Instant::now() + wait;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            let next = match self.take(lane) {
                Ok(claimed) => return Ok(Some(claimed)),
                Err(next) => next,
            };
            if Instant::now() >= end {
                return Ok(None);
            }
            let next = next.map_or(end, |next| next.min(end));
            let _ = tokio::time::timeout_at(next, changed).await;
        }
    }

    async fn extend(&self, lease: &Lease) -> Result<bool> {
        let until = Instant::now() + self.settings.lease;
        Ok(self.state().leased(lease).map(|(_, entry)| entry.until = until).is_some())
    }

    async fn give_back(&self, lease: Lease, delay: Duration) -> Result<()> {
        let mut state = self.state();
        if let Some((_, entry)) = state.leased(&lease) {
            (entry.lease, entry.until) = (None, Instant::now() + delay);
        }
        self.changed.notify_waiters();
        Ok(())
    }

    async fn complete(&self, lease: Lease, result: &SignedResult) -> Result<Completed> {
        let mut state = self.state();
        state.drop_job(&lease.job, lease.lane);
        self.changed.notify_waiters();
        if let Some(present) = state.results.get(&lease.job) {
            return Ok(Completed::Present(Box::new(present.clone())));
        }
        state.dead.remove(&lease.job);
        state.results.insert(lease.job, result.clone());
        Ok(Completed::First)
    }

    async fn end(&self, lease: Lease) -> Result<()> {
        self.state().drop_job(&lease.job, lease.lane);
        Ok(())
    }

    async fn bury(&self, lease: Lease, attempts: u32, cause: DeadCause, reason: &str) -> Result<()> {
        let mut state = self.state();
        if let Some(entry) = state.drop_job(&lease.job, lease.lane) {
            state.bury(entry, attempts, cause, reason);
        }
        self.changed.notify_waiters();
        Ok(())
    }

    async fn retry(&self, id: &JobId, anew: Option<&Job>) -> Result<bool> {
        let mut state = self.state();
        let Some(dead) = state.dead.remove(id) else { return Ok(false) };
        state.history.remove(id);
        state.add(anew.cloned().unwrap_or(dead.job), dead.retries + 1);
        self.changed.notify_waiters();
        Ok(true)
    }

    async fn judge_again(&self, job: &Job) -> Result<()> {
        let mut state = self.state();
        let id = job.id();
        if !state.in_lane(job.lane()).any(|(_, entry)| entry.job.id() == id) {
            state.add(job.clone(), 0);
            self.changed.notify_waiters();
        }
        Ok(())
    }

    async fn replace_result(&self, id: &JobId, result: &SignedResult) -> Result<()> {
        self.state().results.insert(id.clone(), result.clone());
        self.changed.notify_waiters();
        Ok(())
    }

    async fn history(&self, id: &JobId) -> Result<JobHistory> {
        Ok(self.state().history.get(id).cloned().unwrap_or_default())
    }

    async fn put_history(&self, id: &JobId, history: &JobHistory) -> Result<()> {
        self.state().history.insert(id.clone(), history.clone());
        Ok(())
    }

    async fn result(&self, id: &JobId) -> Result<Option<SignedResult>> {
        Ok(self.state().results.get(id).cloned())
    }

    async fn dead(&self, id: &JobId) -> Result<Option<DeadJob>> {
        Ok(self.state().dead.get(id).cloned())
    }

    async fn all_dead(&self, limit: usize) -> Result<Vec<DeadJob>> {
        let mut all: Vec<DeadJob> = self.state().dead.values().cloned().collect();
        all.sort_by(|a, b| b.at.cmp(&a.at));
        all.truncate(limit);
        Ok(all)
    }

    async fn wait(&self, id: &JobId, most: Duration) -> Result<Option<Ended>> {
        let end = Instant::now() + most;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(result) = self.state().results.get(id) {
                return Ok(Some(Ended::Judged(Box::new(result.clone()))));
            }
            if let Some(dead) = self.state().dead.get(id) {
                return Ok(Some(Ended::Dead(Box::new(dead.clone()))));
            }
            if tokio::time::timeout_at(end, changed).await.is_err() {
                return Ok(None);
            }
        }
    }

    async fn tidy(&self) -> Result<()> {
        Ok(())
    }

    async fn raise(&self, alarm: &Alarm) -> Result<()> {
        self.state().alarms.push(alarm.clone());
        Ok(())
    }

    async fn alarms(&self, limit: usize) -> Result<Vec<Alarm>> {
        Ok(self.state().alarms.iter().rev().take(limit).cloned().collect())
    }

    async fn beat(&self, beat: &WorkerBeat, key: &WorkerKey) -> Result<()> {
        let signed = signed_beat::sign(&self.settings.name, beat, key);
        self.state().workers.insert(beat.name.clone(), (signed, Instant::now()));
        Ok(())
    }

    async fn status(&self) -> Result<Status> {
        let (newest_dead, alarms) = (self.all_dead(10).await?, self.alarms(10).await?);
        let state = self.state();
        let now = Instant::now();
        let of_lane = |lane| {
            let leased = |entry: &QueuedJob| entry.lease.is_some() && entry.until > now;
            let (all, busy) =
                (state.in_lane(lane).count(), state.in_lane(lane).filter(|(_, entry)| leased(entry)).count());
            let since = state.in_lane(lane).map(|(_, entry)| entry.since).min();
            LaneStatus {
                lane,
                waiting: (all - busy) as u64,
                leased: busy as u64,
                oldest: since.map_or(Duration::ZERO, |since| now - since),
            }
        };
        let heard = |(name, (beat, at)): (&String, &(Vec<u8>, Instant))| {
            signed_beat::read(name, beat, now - *at, &self.settings)
        };
        Ok(Status {
            lanes: Lane::ALL.into_iter().map(of_lane).collect(),
            workers: state.workers.iter().filter_map(heard).filter(|worker| worker.last_heard < GONE).collect(),
            dead: state.dead.len() as u64,
            object_bytes: state.objects.values().map(|object| object.len() as u64).sum(),
            most_object_bytes: self.settings.most_bytes,
            newest_dead,
            alarms,
        })
    }

    async fn put_object(&self, bytes: &[u8]) -> Result<String> {
        let (mut state, name) = (self.state(), hex::sha256(bytes));
        if !state.objects.contains_key(&name) {
            self.room(&mut state, bytes.len())?;
            state.objects.insert(name.clone(), bytes.to_vec());
        }
        Ok(name)
    }

    async fn object(&self, sha256: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.state().objects.get(sha256).cloned())
    }

    async fn drop_object(&self, sha256: &str) -> Result<()> {
        let mut state = self.state();
        if let Some(object) = state.objects.remove(sha256) {
            state.bytes = state.bytes.saturating_sub(object.len() as u64);
        }
        Ok(())
    }

    async fn put_verdicts(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut state = self.state();
        self.room(&mut state, bytes.len())?;
        if let Some(old) = state.verdicts.insert(name.to_owned(), bytes.to_vec()) {
            state.bytes = state.bytes.saturating_sub(old.len() as u64);
        }
        Ok(())
    }

    async fn verdicts(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.state().verdicts.get(name).cloned())
    }
}
