//! What a worker says of itself, and what it does beside its jobs.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::{Unheard, Worker};
use crate::queue::{Result, WorkerBeat};

const MINUTE: Duration = Duration::from_secs(60);

/// The ends of jobs in the last minute.
#[derive(Default)]
pub struct Recent(Mutex<VecDeque<Instant>>);

impl Recent {
    pub fn add(&self) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ends.push_back(Instant::now());
        Self::forget(&mut ends);
    }

    pub fn count(&self) -> usize {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Self::forget(&mut ends);
        ends.len()
    }

    fn forget(ends: &mut VecDeque<Instant>) {
        while ends.front().is_some_and(|end| end.elapsed() > MINUTE) {
            ends.pop_front();
        }
    }
}

impl Worker {
    /// Says that it is there, and lets the queue tidy up, as often as it renews leases. Ends when nobody confirmed it for too long.
    pub(super) async fn beat(self: Arc<Self>, end: watch::Receiver<bool>) -> Unheard {
        let mut heard = Instant::now();
        loop {
            let is_draining = *end.borrow();
            match tokio::time::timeout(self.settings.lease, self.say(is_draining)).await {
                Ok(Ok(())) => heard = Instant::now(),
                Ok(Err(error)) => tracing::warn!("the queue: {error}"),
                Err(_) => tracing::warn!("the queue does not answer"),
            }
            if heard.elapsed() >= self.settings.unheard {
                return Unheard(heard.elapsed());
            }
            match tokio::time::timeout(self.settings.lease, self.tidy()).await {
                Ok(Ok(())) | Err(_) => {}
                Ok(Err(error)) => tracing::warn!("the queue: {error}"),
            }
            tokio::time::sleep(self.settings.renew).await;
        }
    }

    /// Drops what is not needed any more.
    async fn tidy(&self) -> Result<()> {
        for pack in self.spent.over(self.settings.keep_spent) {
            self.queue.drop_object(&pack).await?;
        }
        self.queue.tidy().await
    }

    pub(super) async fn say(&self, is_draining: bool) -> Result<()> {
        let beat = WorkerBeat {
            name: self.key.name().to_owned(),
            key: self.key.public(),
            version: self.version.clone(),
            slots: self.fast + self.heavy,
            busy: self.state.busy.load(Ordering::Relaxed),
            judged: self.state.judged.load(Ordering::Relaxed),
            last_minute: self.state.recent.count() as u64,
            is_draining,
            remotes: self.judge.remotes(),
            stopped: self.breaker.stopped(),
            own_failures: self.breaker.failures(),
            left_to_others: self.state.left.load(Ordering::Relaxed),
        };
        self.queue.beat(&beat, &self.key).await
    }
}
