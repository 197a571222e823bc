//! Whose turn it is while one question waits for its answer.

use std::collections::VecDeque;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use super::{Chain, FailureClass, Next, ProviderFailure};

/// Everybody once; then, with pauses, those who were merely busy.
pub(super) struct Turns {
    left: VecDeque<usize>,
    /// Those who want to be left alone, and for how long.
    resting: Vec<(usize, Duration)>,
    pauses: ExponentialBackoff,
    patience: Duration,
    asked_again: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) index: usize,
    /// To be waited for first.
    pub(super) pause: Duration,
}

impl Turns {
    pub(super) fn new(chain: &Chain) -> Self {
        let pauses =
            ExponentialBuilder::default().with_jitter().with_max_delay(Duration::from_secs(30)).with_max_times(4);
        Turns {
            left: chain.lap().collect(),
            resting: Vec::new(),
            pauses: pauses.build(),
            patience: chain.patience,
            asked_again: None,
        }
    }

    pub(super) fn first(&mut self) -> Option<Turn> {
        self.left.pop_front().map(|index| Turn { index, pause: Duration::ZERO })
    }

    /// Who comes after a failure. Waiting is the last resort: another provider is better than a pause.
    pub(super) fn after(&mut self, index: usize, failure: &ProviderFailure) -> Option<Turn> {
        match failure.class.next() {
            Next::Stop => return None,
            Next::Again if self.asked_again.replace(index) != Some(index) => {
                return Some(Turn { index, pause: Duration::ZERO });
            }
            Next::Again | Next::Other => {}
        }
        if matches!(failure.class, FailureClass::Overloaded | FailureClass::RateLimited) {
            self.resting.push((index, failure.retry_after.unwrap_or_default()));
        }
        self.first().or_else(|| self.wait())
    }

    fn wait(&mut self) -> Option<Turn> {
        let soonest = self.resting.iter().map(|(_, rest)| *rest).min()?;
        let pause = soonest.max(self.pauses.next()?);
        self.patience = self.patience.checked_sub(pause)?;
        for (index, rest) in std::mem::take(&mut self.resting) {
            match rest.checked_sub(pause).filter(|rest| !rest.is_zero()) {
                Some(rest) => self.resting.push((index, rest)),
                None => self.left.push_back(index),
            }
        }
        self.first().map(|turn| Turn { pause, ..turn })
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
        let mut turns = Turns::new(&chain);
        let order = |turn: Option<Turn>| turn.map(|turn| turn.index);
        assert_eq!(order(turns.first()), Some(0));
        assert_eq!(order(turns.after(0, &failure(FailureClass::RateLimited, Some(40)))), Some(1));
        assert_eq!(order(turns.after(1, &failure(FailureClass::Crashed, None))), Some(2));
        assert_eq!(order(turns.after(2, &failure(FailureClass::Empty, None))), Some(2));
        // Everybody failed: the one that is merely busy comes first, whoever named a time when that is over.
        let busy = turns.after(2, &failure(FailureClass::Overloaded, Some(10))).unwrap();
        assert_eq!((busy.index, busy.pause), (2, Duration::from_secs(10)));
        let limited = turns.after(2, &failure(FailureClass::Timeout, None)).unwrap();
        assert_eq!((limited.index, limited.pause), (0, Duration::from_secs(30)));
        // 40 of the 120 seconds are gone.
        assert_eq!(turns.after(0, &failure(FailureClass::RateLimited, Some(81))), None);
        assert_eq!(Turns::new(&chain).after(0, &failure(FailureClass::Auth, None)), None);
    }
}
