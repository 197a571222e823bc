//! A worker that cannot do anything takes nothing: the one that fails each job at once would be the one that is always free.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Failures of its own in a row after which a worker takes no more jobs.
const MOST: u32 = 3;

/// Counts a worker's own failures.
#[derive(Default)]
pub struct Breaker(Mutex<OwnFailures>);

#[derive(Default)]
struct OwnFailures {
    /// Since the last job that it judged.
    in_a_row: u32,
    since_start: u64,
    stopped: Option<BreakerOpen>,
}

struct BreakerOpen {
    reason: String,
    /// When it looks next whether it can work again.
    probe: Instant,
    pause: Duration,
}

/// What a worker may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    Work,
    /// Look whether what is wrong is gone.
    Probe,
    Wait,
}

impl Breaker {
    fn counted(&self) -> MutexGuard<'_, OwnFailures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It judged a job.
    pub fn worked(&self) {
        self.counted().in_a_row = 0;
    }

    /// It failed for a reason of its own. `pause` is that before the first probe.
    pub fn failed(&self, reason: &str, pause: Duration) {
        let mut counted = self.counted();
        counted.in_a_row += 1;
        counted.since_start += 1;
        if counted.in_a_row >= MOST {
            // Probes that do not see what is wrong come less and less often.
            let pause = counted.stopped.as_ref().map_or(pause, |stopped| (stopped.pause * 2).min(pause * 16));
            counted.stopped = Some(BreakerOpen { reason: reason.to_owned(), probe: Instant::now() + pause, pause });
        }
    }

    /// Whether a job may be taken. Only one caller at a time may probe, and it must report the result.
    pub fn permission(&self) -> Permission {
        let mut counted = self.counted();
        let in_a_row = counted.in_a_row;
        match &mut counted.stopped {
            None => Permission::Work,
            Some(_) if in_a_row < MOST => Permission::Work,
            Some(stopped) if Instant::now() >= stopped.probe => {
                stopped.probe = Instant::now() + stopped.pause;
                Permission::Probe
            }
            Some(_) => Permission::Wait,
        }
    }

    /// After a probe that found nothing wrong: the next failure stops it again.
    pub fn probed(&self) {
        self.counted().in_a_row = MOST - 1;
    }

    /// After a probe that did.
    pub fn still(&self, reason: &str) {
        if let Some(stopped) = &mut self.counted().stopped {
            reason.clone_into(&mut stopped.reason);
        }
    }

    /// Why it takes nothing.
    pub fn stopped(&self) -> Option<String> {
        let counted = self.counted();
        counted.stopped.as_ref().filter(|_| counted.in_a_row >= MOST).map(|stopped| stopped.reason.clone())
    }

    pub fn failures(&self) -> u64 {
        self.counted().since_start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_fails_again_and_again_stops_and_looks_again() {
        let breaker = Breaker::default();
        for _ in 0..MOST - 1 {
            breaker.failed("full", Duration::ZERO);
            assert_eq!(breaker.permission(), Permission::Work);
        }
        breaker.worked();
        for _ in 0..MOST - 1 {
            breaker.failed("full", Duration::ZERO);
        }
        assert_eq!((breaker.permission(), breaker.stopped()), (Permission::Work, None));
        breaker.failed("the disk is full", Duration::ZERO);
        assert_eq!((breaker.permission(), breaker.stopped()), (Permission::Probe, Some("the disk is full".into())));
        breaker.failed("full", Duration::from_secs(60));
        assert_eq!(breaker.permission(), Permission::Probe, "its pause was nothing, and twice nothing is nothing");
        breaker.probed();
        assert_eq!((breaker.permission(), breaker.stopped()), (Permission::Work, None));
        breaker.failed("full", Duration::from_secs(60));
        assert!(breaker.stopped().is_some(), "one failure after a probe is enough");
        let long = Breaker::default();
        (0..MOST).for_each(|_| long.failed("full", Duration::from_secs(60)));
        assert_eq!(long.permission(), Permission::Wait);
        assert_eq!((long.failures(), breaker.failures()), (3, 7));
    }
}
