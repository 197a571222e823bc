//! A worker: takes jobs, says that it lives while it judges them, answers with signed results, and ends when it is told to, after the
//! jobs that it has.

mod audit;
mod beat;
mod breaker;
mod handle;
mod spent;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use crate::failure::{FailureOwner, JobFailure};
use crate::job::{Job, Lane};
use crate::keys::{KnownKeys, WorkerKey};
use crate::queue::Queue;
use crate::result::JobRuling;
use crate::settings::FleetSettings;
use beat::Recent;
pub use breaker::Breaker;
use breaker::Permission;
use handle::Handled;
pub use spent::Spent;

/// A pull for jobs; a worker that is told to end waits for it.
const WAIT: Duration = Duration::from_secs(2);
/// After an error of the queue.
const PAUSE: Duration = Duration::from_secs(1);
/// After a job that others have to do; twice as long after the next one.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
/// A worker that takes nothing looks so often whether it is to end.
const LOOK: Duration = Duration::from_millis(200);
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

/// Judges. Called for several jobs at once.
#[async_trait]
pub trait Judge: Send + Sync + 'static {
    /// Whether this worker may judge the job at all, as far as that is known without any work.
    ///
    /// # Errors
    /// Why not, for people.
    fn may_take(&self, _: &Job) -> Result<(), String> {
        Ok(())
    }

    /// Brings everything here that judging needs. What was brought stays.
    async fn prepare(&self, _: &Job) -> Result<(), JobFailure> {
        Ok(())
    }

    /// Whether this machine can work: asked after failures of its own.
    ///
    /// # Errors
    /// What is wrong, for people.
    async fn probe(&self) -> Result<(), String> {
        Ok(())
    }

    /// The remotes from which it may fetch, for people and for other workers.
    fn remotes(&self) -> Vec<String> {
        Vec::new()
    }

    async fn judge(&self, job: &Job, how: How) -> Result<JobRuling, JobFailure>;
}

/// What a worker is made of.
pub struct Worker {
    pub queue: Arc<dyn Queue>,
    pub judge: Arc<dyn Judge>,
    pub key: Arc<WorkerKey>,
    pub known: KnownKeys,
    pub settings: FleetSettings,
    /// Jobs at once: of guards that read, and second judgements.
    pub fast: u32,
    /// Jobs at once: of guards that build and test.
    pub heavy: u32,
    /// Of the host.
    pub version: String,
    pub state: WorkerState,
    pub breaker: Breaker,
    pub spent: Spent,
}

/// What it did since it started.
#[derive(Default)]
pub struct WorkerState {
    pub judged: AtomicU64,
    pub failed: AtomicU64,
    pub alarms: AtomicU64,
    /// Jobs that were left to other workers.
    pub left: AtomicU64,
    busy: AtomicU32,
    recent: Recent,
}

/// A worker that nobody hears must not go on: its jobs are with others by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the queue has not confirmed for {} s that this worker lives", .0.as_secs())]
pub struct Unheard(pub Duration);

impl Worker {
    /// Until `end` is true, and the jobs that it has by then are done.
    ///
    /// # Errors
    /// The queue does not answer any more. Whoever started the worker starts it again, on new connections.
    pub async fn run(self: Arc<Self>, end: watch::Receiver<bool>) -> Result<(), Unheard> {
        let mut slots = JoinSet::new();
        for (lane, count) in [(Lane::Fast, self.fast), (Lane::Heavy, self.heavy)] {
            for _ in 0..count {
                slots.spawn(Arc::clone(&self).work(lane, end.clone()));
            }
        }
        let mut beating = tokio::spawn(Arc::clone(&self).beat(end));
        let done = async { while slots.join_next().await.is_some() {} };
        tokio::select! {
            () = done => {}
            unheard = &mut beating => return Err(unheard.unwrap_or(Unheard(Duration::ZERO))),
        }
        beating.abort();
        // The last word is lost where the queue is away.
        let _ = tokio::time::timeout(WAIT, self.say(true)).await;
        Ok(())
    }

    /// One job after another.
    async fn work(self: Arc<Self>, lane: Lane, end: watch::Receiver<bool>) {
        let mut looks = 0_u32;
        let mut pause = Duration::ZERO;
        while !*end.borrow() {
            if !self.is_fit().await {
                continue;
            }
            looks = looks.wrapping_add(1);
            let audits = lane == Lane::Fast && looks.is_multiple_of(AUDITS);
            if audits && self.take(Lane::Audit, Duration::ZERO).await.is_some() {
                continue;
            }
            match self.take(lane, WAIT).await {
                Some(Handled::Done) => pause = Duration::ZERO,
                Some(Handled::NotMine) => {
                    // Others are given the time to take it.
                    pause = (pause * 2).clamp(SHORTEST_PAUSE, WAIT);
                    tokio::time::sleep(pause).await;
                }
                None if lane == Lane::Fast => {
                    // Those that are this worker's own come later: it gives them back for a while.
                    while !*end.borrow() && self.take(Lane::Audit, Duration::ZERO).await.is_some() {}
                }
                None => {}
            }
        }
    }

    /// False for a worker that failed too often for reasons of its own; then it waits a moment, or probes.
    async fn is_fit(&self) -> bool {
        match self.breaker.permission() {
            Permission::Work => return true,
            Permission::Probe => match self.judge.probe().await {
                Ok(()) => self.breaker.probed(),
                Err(reason) => {
                    tracing::warn!("this worker takes no jobs: {reason}");
                    self.breaker.still(&reason);
                }
            },
            Permission::Wait => tokio::time::sleep(LOOK).await,
        }
        false
    }

    /// None when there was no job.
    async fn take(&self, lane: Lane, wait: Duration) -> Option<Handled> {
        match self.queue.claim(self.key.name(), lane, wait).await {
            Ok(Some(claimed)) => Some(self.handle(claimed).await),
            Ok(None) => None,
            Err(error) => {
                tracing::warn!("cannot take a job: {error}");
                tokio::time::sleep(PAUSE).await;
                None
            }
        }
    }
}
