//! Packs whose jobs have ended: the queue has room for the others.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::job::Job;

/// In the order in which their jobs ended.
#[derive(Default)]
pub struct Spent(Mutex<VecDeque<(Instant, String)>>);

impl Spent {
    pub fn add(&self, job: &Job) {
        if let Some(pack) = &job.transport.pack {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back((Instant::now(), pack.clone()));
        }
    }

    /// Those that are needed no more, not even for a second judgement.
    pub fn over(&self, kept: Duration) -> Vec<String> {
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut over = Vec::new();
        while let Some((_, pack)) = spent.pop_front_if(|(at, _)| at.elapsed() >= kept) {
            over.push(pack);
        }
        over
    }
}
