//! How long a run waits for the observer, over all its questions.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For one question.
pub const CALL: Duration = Duration::from_secs(2);
/// For all questions of a run together.
pub const RUN: Duration = Duration::from_secs(5);

/// What is left of a run's time for the observer. Only waiting counts.
#[derive(Debug)]
pub struct Budget {
    left: Mutex<Duration>,
    call: Duration,
}

impl Budget {
    pub fn new(run: Duration, call: Duration) -> Self {
        Budget { left: Mutex::new(run), call }
    }

    /// For work beside the run, which it does not wait for.
    pub fn aside() -> Self {
        Budget::new(Duration::MAX, CALL)
    }

    /// How long the next question may take; None when nothing is left.
    pub fn allowance(&self) -> Option<Duration> {
        let left = *self.left.lock().unwrap_or_else(PoisonError::into_inner);
        Some(left.min(self.call)).filter(|time| !time.is_zero())
    }

    /// Takes what a question took since `begun`.
    pub fn spend(&self, begun: Instant) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = left.saturating_sub(begun.elapsed());
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new(RUN, CALL)
    }
}
