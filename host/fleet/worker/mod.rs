//! A worker: takes jobs, says that it lives while it judges them, answers with signed results, and ends when it is told to, after the
//! jobs that it has.

mod audit;
mod beat;
mod handle;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::job::{Job, Lane};
use crate::keys::{KnownKeys, WorkerKey};
use crate::queue::Queue;
use crate::result::Judged;
use crate::settings::Settings;
use beat::Recent;

/// A pull for jobs; a worker that is told to end waits for it.
const WAIT: Duration = Duration::from_secs(2);
/// After an error of the queue.
const PAUSE: Duration = Duration::from_secs(1);
/// One in so many looks is for second judgements, however much waits.
const AUDITS: u32 = 16;

/// What a job is judged with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// As `host check`.
    Usual,
    /// Without a verdict of anyone else: a second judgement.
    Fresh,
}

/// Why a job was not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFailure {
    /// For people.
    pub reason: String,
    /// Another try, or another worker, may do it.
    pub is_passing: bool,
}

/// Judges. Called for several jobs at once.
#[async_trait]
pub trait Judge: Send + Sync + 'static {
    async fn judge(&self, job: &Job, how: How) -> Result<Judged, JobFailure>;
}

/// What a worker is made of.
pub struct Worker {
    pub queue: Arc<dyn Queue>,
    pub judge: Arc<dyn Judge>,
    pub key: Arc<WorkerKey>,
    pub known: KnownKeys,
    pub settings: Settings,
    /// Jobs at once: of guards that read, and second judgements.
    pub fast: u32,
    /// Jobs at once: of guards that build and test.
    pub heavy: u32,
    /// Of the host.
    pub version: String,
    pub state: State,
}

/// What it did since it started.
#[derive(Default)]
pub struct State {
    pub judged: AtomicU64,
    pub failed: AtomicU64,
    pub alarms: AtomicU64,
    busy: AtomicU32,
    recent: Recent,
}

impl Worker {
    /// Until `end` is true, and the jobs that it has by then are done.
    pub async fn run(self: Arc<Self>, end: watch::Receiver<bool>) {
        let mut slots = JoinSet::new();
        for (lane, count) in [(Lane::Fast, self.fast), (Lane::Heavy, self.heavy)] {
            for _ in 0..count {
                slots.spawn(Arc::clone(&self).work(lane, end.clone()));
            }
        }
        let beating = tokio::spawn(Arc::clone(&self).beat(end));
        while slots.join_next().await.is_some() {}
        beating.abort();
        self.say(true).await;
    }

    /// One job after another.
    async fn work(self: Arc<Self>, lane: Lane, end: watch::Receiver<bool>) {
        let mut looks = 0_u32;
        while !*end.borrow() {
            looks = looks.wrapping_add(1);
            let audits = lane == Lane::Fast && looks.is_multiple_of(AUDITS);
            if audits && self.take(Lane::Audit, Duration::ZERO).await {
                continue;
            }
            if !self.take(lane, WAIT).await && lane == Lane::Fast {
                // Those that are this worker's own come later: it gives them back for a while.
                while !*end.borrow() && self.take(Lane::Audit, Duration::ZERO).await {}
            }
        }
    }

    /// False when there was no job.
    async fn take(&self, lane: Lane, wait: Duration) -> bool {
        match self.queue.claim(self.key.name(), lane, wait).await {
            Ok(Some(claimed)) => {
                self.handle(claimed).await;
                true
            }
            Ok(None) => false,
            Err(error) => {
                tracing::warn!("cannot take a job: {error}");
                tokio::time::sleep(PAUSE).await;
                false
            }
        }
    }
}
