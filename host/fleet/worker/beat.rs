//! What a worker says of itself, and what it does beside its jobs.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::Worker;
use crate::queue::WorkerBeat;

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
    /// Says that it is there, and puts jobs aside that were handed out too often, as often as it renews leases.
    pub(super) async fn beat(self: Arc<Self>, end: watch::Receiver<bool>) {
        loop {
            let is_draining = *end.borrow();
            self.say(is_draining).await;
            if let Err(error) = self.queue.tidy().await {
                tracing::warn!("the queue: {error}");
            }
            tokio::time::sleep(self.settings.renew).await;
        }
    }

    pub(super) async fn say(&self, is_draining: bool) {
        let beat = WorkerBeat {
            name: self.key.name().to_owned(),
            key: self.key.public().to_string(),
            version: self.version.clone(),
            slots: self.fast + self.heavy,
            busy: self.state.busy.load(Ordering::Relaxed),
            judged: self.state.judged.load(Ordering::Relaxed),
            last_minute: self.state.recent.count() as u64,
            is_draining,
        };
        if let Err(error) = self.queue.beat(&beat).await {
            tracing::warn!("the queue: {error}");
        }
    }
}
