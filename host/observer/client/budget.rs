//! How long a command waits for the observer, over all its questions.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For one question.
pub const CALL: Duration = Duration::from_secs(2);
/// For all questions together that were not answered, or late.
pub const ALL: Duration = Duration::from_secs(5);
/// An answer within this time costs nothing, so that a healthy observer can be asked as often as a long plan needs it.
const PROMPT: Duration = Duration::from_millis(250);

/// What is left of the time for the observer. Clones share it.
#[derive(Debug, Clone)]
pub struct ObserverTime {
    left: Arc<Mutex<Duration>>,
    call: Duration,
}

impl ObserverTime {
    pub fn new(all: Duration, call: Duration) -> Self {
        ObserverTime { left: Arc::new(Mutex::new(all)), call }
    }

    /// For work that no run waits for.
    pub fn aside() -> Self {
        ObserverTime::new(Duration::MAX, CALL)
    }

    /// How long the next question may take; None when nothing is left.
    pub fn allowance(&self) -> Option<Duration> {
        let left = *self.left.lock().unwrap_or_else(PoisonError::into_inner);
        Some(left.min(self.call)).filter(|time| !time.is_zero())
    }

    /// Takes what a question took since `begun`.
    pub fn spend(&self, begun: Instant, answered: bool) {
        let took = begun.elapsed();
        if answered && took <= PROMPT {
            return;
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = left.saturating_sub(took);
    }
}

impl Default for ObserverTime {
    fn default() -> Self {
        ObserverTime::new(ALL, CALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_late_or_lost_is_paid_by_all_and_what_is_prompt_is_free() {
        let budget = ObserverTime::new(Duration::from_secs(3), Duration::from_secs(2));
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let shared = budget.clone();
        (0..1_000).for_each(|_| shared.spend(Instant::now(), true));
        assert_eq!(budget.allowance(), Some(Duration::from_secs(2)));
        shared.spend(ago(2), true);
        assert!(budget.allowance().is_some_and(|left| left < Duration::from_secs(1)));
        shared.spend(ago(2), false);
        assert_eq!(budget.allowance(), None);
    }
}
