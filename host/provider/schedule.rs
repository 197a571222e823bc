//! Which provider is tried next while one question waits for its answer.

use std::collections::VecDeque;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use super::{Chain, FailureClass, Fallback, ProviderFailure};

/// Every provider once; then, after pauses, those that were merely busy.
pub(super) struct Schedule {
    waiting: VecDeque<usize>,
    /// Busy providers, and how long each wants to be left alone.
    busy: Vec<(usize, Duration)>,
    backoff: ExponentialBackoff,
    /// How long the question may still wait in all.
    patience: Duration,
    retried: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Try {
    /// In the chain.
    pub(super) index: usize,
    /// How long to wait first.
    pub(super) delay: Duration,
}

impl Schedule {
    pub(super) fn new(chain: &Chain) -> Self {
        let backoff =
            ExponentialBuilder::default().with_jitter().with_max_delay(Duration::from_secs(30)).with_max_times(4);
        Schedule {
            waiting: chain.available().collect(),
            busy: Vec::new(),
            backoff: backoff.build(),
            patience: chain.patience,
            retried: None,
        }
    }

    pub(super) fn first(&mut self) -> Option<Try> {
        self.waiting.pop_front().map(|index| Try { index, delay: Duration::ZERO })
    }

    /// What follows after a failure. Another provider is better than a pause, so waiting comes last.
    pub(super) fn after(&mut self, index: usize, failure: &ProviderFailure) -> Option<Try> {
        match failure.class.fallback() {
            Fallback::Stop => return None,
            Fallback::RetryOnce if self.retried.replace(index) != Some(index) => {
                return Some(Try { index, delay: Duration::ZERO });
            }
            Fallback::NextProviderOrRetry
                if self.waiting.is_empty() && self.busy.is_empty() && self.retried.replace(index) != Some(index) =>
            {
                return Some(Try { index, delay: Duration::ZERO });
            }
            Fallback::RetryOnce | Fallback::NextProvider | Fallback::NextProviderOrRetry => {}
        }
        if matches!(failure.class, FailureClass::Overloaded | FailureClass::RateLimited) {
            self.busy.push((index, failure.retry_after.unwrap_or_default()));
        }
        self.first().or_else(|| self.wait())
    }

    fn wait(&mut self) -> Option<Try> {
        let soonest = self.busy.iter().map(|(_, remaining)| *remaining).min()?;
        let delay = soonest.max(self.backoff.next()?);
        self.patience = self.patience.checked_sub(delay)?;
        for (index, remaining) in std::mem::take(&mut self.busy) {
            match remaining.checked_sub(delay).filter(|remaining| !remaining.is_zero()) {
                Some(remaining) => self.busy.push((index, remaining)),
                None => self.waiting.push_back(index),
            }
        }
        self.first().map(|next| Try { delay, ..next })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Provider;

    fn chain(names: &[&str]) -> Chain {
        Chain::new(names.iter().map(|name| Provider::parse(name, Path::new("/")).unwrap()).collect())
    }

    fn failure(class: FailureClass, seconds: Option<u64>) -> ProviderFailure {
        ProviderFailure { retry_after: seconds.map(Duration::from_secs), ..ProviderFailure::new(class, "") }
    }

    #[test]
    fn waiting_comes_last_and_has_an_end() {
        let chain = chain(&["claude", "codex", "gemini"]);
        let mut schedule = Schedule::new(&chain);
        let index = |next: Option<Try>| next.map(|next| next.index);
        assert_eq!(index(schedule.first()), Some(0));
        assert_eq!(index(schedule.after(0, &failure(FailureClass::RateLimited, Some(40)))), Some(1));
        assert_eq!(index(schedule.after(1, &failure(FailureClass::Crashed, None))), Some(2));
        assert_eq!(index(schedule.after(2, &failure(FailureClass::Empty, None))), Some(2));
        // All have failed: the one that is merely busy comes first, even if another says when it will be free.
        let overloaded = schedule.after(2, &failure(FailureClass::Overloaded, Some(10))).unwrap();
        assert_eq!((overloaded.index, overloaded.delay), (2, Duration::from_secs(10)));
        let limited = schedule.after(2, &failure(FailureClass::Timeout, None)).unwrap();
        assert_eq!((limited.index, limited.delay), (0, Duration::from_secs(30)));
        // 40 of the 120 seconds are used.
        assert_eq!(schedule.after(0, &failure(FailureClass::RateLimited, Some(81))), None);
        assert_eq!(Schedule::new(&chain).after(0, &failure(FailureClass::Auth, None)), None);
    }

    #[test]
    fn a_provider_without_another_is_asked_once_more_after_an_answer_that_broke_off() {
        let index = |next: Option<Try>| next.map(|next| next.index);
        let broken = failure(FailureClass::ProtocolError, None);
        let mut alone = Schedule::new(&chain(&["claude"]));
        assert_eq!(index(alone.first()), Some(0));
        assert_eq!(index(alone.after(0, &broken)), Some(0));
        assert_eq!(alone.after(0, &broken), None);
        let mut two = Schedule::new(&chain(&["claude", "codex"]));
        assert_eq!(index(two.first()), Some(0));
        assert_eq!(index(two.after(0, &broken)), Some(1));
        assert_eq!(index(two.after(1, &broken)), Some(1));
        assert_eq!(two.after(1, &broken), None);
    }
}
