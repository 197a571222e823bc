//! Ends work before it is done: because the user asks for it, because the run's time is over, or because the work takes longer than it
//! ever should.
//!
//! Ending is cooperative: work looks at its [`StopToken`] or [`Watch`] in every loop whose length depends on its input. A thread that is
//! abandoned instead would keep its memory and a core, in a server for ever.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Fault, FaultKind};

/// Why work was ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Ctrl-C, or another request to stop.
    Interrupted,
    /// The time that the whole run may take is over.
    OverBudget(Duration),
    /// This work by itself took longer than it may.
    OutOfTime(Duration),
}

impl Stopped {
    /// Stable, kebab-case.
    pub fn code(self) -> &'static str {
        match self {
            Stopped::Interrupted => "interrupted",
            Stopped::OverBudget(_) => "over-budget",
            Stopped::OutOfTime(_) => "out-of-time",
        }
    }

    /// The error of a command whose `work` (such as "reading the reply") was ended.
    pub fn into_error(self, work: &str) -> Error {
        let fault = match self {
            Stopped::Interrupted => Fault::new(FaultKind::Interrupted, format!("interrupted while {work}")),
            Stopped::OverBudget(limit) => {
                Fault::new(FaultKind::Provider, format!("the run's {} s were over while {work}", limit.as_secs()))
                    .hint("allow the run more with --max-time, or make the task smaller")
            }
            Stopped::OutOfTime(limit) => {
                Fault::new(FaultKind::Git, format!("{work} took more than {} s, and was ended", limit.as_secs()))
                    .hint("make the patch smaller; if it is small, please report it with the patch")
            }
        };
        Error::new(self).context(fault.code(self.code()))
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Interrupted => f.write_str("interrupted"),
            Stopped::OverBudget(limit) => write!(f, "the run's {} s are over", limit.as_secs()),
            Stopped::OutOfTime(limit) => write!(f, "it took more than {} s", limit.as_secs()),
        }
    }
}

impl std::error::Error for Stopped {}

/// Tells work to end. Clones tell the same; one by itself never does, until [`StopToken::interrupt`].
#[derive(Debug, Clone, Default)]
pub struct StopToken(Arc<StopState>);

#[derive(Debug, Default)]
struct StopState {
    interrupted: AtomicBool,
    /// What ends this work too.
    around: Option<StopToken>,
    run: Mutex<Option<Deadline>>,
}

/// The end of a limited time.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    end: Instant,
    limit: Duration,
}

impl Deadline {
    /// None for a time that the clock cannot express: it never ends.
    fn new(begun: Instant, limit: Duration) -> Option<Self> {
        Some(Deadline { end: begun.checked_add(limit)?, limit })
    }
}

impl StopToken {
    /// Ends all work that has a clone of this token, for good.
    pub fn interrupt(&self) {
        self.0.interrupted.store(true, Ordering::Relaxed);
    }

    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::Relaxed) || self.0.around.as_ref().is_some_and(StopToken::is_interrupted)
    }

    /// For a part of the work: it ends with the whole, and can be ended alone.
    #[must_use]
    pub fn part(&self) -> StopToken {
        StopToken(Arc::new(StopState { around: Some(self.clone()), ..StopState::default() }))
    }

    /// From here on, work is for a run that began at `begun` and may take `limit`; None: as long as it needs.
    pub fn limit_run(&self, begun: Instant, limit: Option<Duration>) {
        *self.run() = limit.and_then(|limit| Deadline::new(begun, limit));
    }

    /// Runs `work` for at most `limit`, or for what is left of a limit that holds already. That one holds again afterwards.
    pub fn limited<T>(&self, limit: Option<Duration>, work: impl FnOnce() -> T) -> T {
        let outer = *self.run();
        let own = limit.and_then(|limit| Deadline::new(Instant::now(), limit));
        *self.run() = outer.into_iter().chain(own).min_by_key(|deadline| deadline.end);
        let done = work();
        *self.run() = outer;
        done
    }

    /// What is left of the run's time; None: it has no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.run().map(|run| run.end.saturating_duration_since(Instant::now()))
    }

    fn run(&self) -> MutexGuard<'_, Option<Deadline>> {
        self.0.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// When the work is to end.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_interrupted() {
            return Err(Stopped::Interrupted);
        }
        if let Some(around) = &self.0.around {
            around.check()?;
        }
        let run = *self.run();
        match run.filter(|run| Instant::now() >= run.end) {
            Some(run) => Err(Stopped::OverBudget(run.limit)),
            None => Ok(()),
        }
    }

    /// A wall clock around one piece of work, which begins now.
    pub fn watch(&self, limit: Duration) -> Watch {
        let own = Deadline::new(Instant::now(), limit);
        Watch { token: self.clone(), own, waited: AtomicU64::new(0), visits: AtomicU32::new(0) }
    }

    /// Runs `work`, whose loops call [`Watch::checkpoint`], for at most `limit`.
    ///
    /// # Errors
    /// When the work was ended. What it had made is dropped.
    pub fn within<T>(&self, limit: Duration, work: impl FnOnce(&Watch) -> T) -> Result<T, Stopped> {
        let watch = self.watch(limit);
        watch.check()?;
        // Nothing that `work` changed is looked at again: it gives its result by value.
        catch_unwind(AssertUnwindSafe(|| work(&watch))).map_err(|payload| match payload.downcast::<Stopped>() {
            Ok(stopped) => *stopped,
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// The wall clock around one piece of work.
#[derive(Debug)]
pub struct Watch {
    token: StopToken,
    own: Option<Deadline>,
    /// Nanoseconds that do not count.
    waited: AtomicU64,
    visits: AtomicU32,
}

/// Visits for one look at the clock: reading it takes as long as a few hundred instructions.
const VISITS: u32 = 64;

impl Watch {
    pub fn token(&self) -> &StopToken {
        &self.token
    }

    /// # Errors
    /// When the work is to end.
    pub fn check(&self) -> Result<(), Stopped> {
        self.token.check()?;
        let waited = Duration::from_nanos(self.waited.load(Ordering::Relaxed));
        match self.own.filter(|own| Instant::now().checked_sub(waited).is_some_and(|now| now >= own.end)) {
            Some(own) => Err(Stopped::OutOfTime(own.limit)),
            None => Ok(()),
        }
    }

    /// Runs `wait`, for something that has limits of its own: its time does not count as the work's.
    pub fn wait<T>(&self, wait: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = wait();
        let nanos = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.waited.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    /// In a loop of [`StopToken::within`]'s work: ends the work by unwinding, without a panic's message, when it is to end. Unwinding lets
    /// functions deep inside end that have no way to fail.
    pub fn checkpoint(&self) {
        if let Err(stopped) = self.check() {
            resume_unwind(Box::new(stopped));
        }
    }

    /// A checkpoint for each line, or whatever else takes less than some microseconds: looks at the clock now and then.
    pub fn visit(&self) {
        // Not one atomic step: a lost visit delays a look at the clock, no more.
        let visits = self.visits.load(Ordering::Relaxed).wrapping_add(1);
        self.visits.store(visits, Ordering::Relaxed);
        if visits.is_multiple_of(VISITS) {
            self.checkpoint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn endless(watch: &Watch) {
        loop {
            watch.visit();
        }
    }

    #[test]
    fn each_reason_ends_an_endless_loop_and_says_so() {
        let token = StopToken::default();
        let short = Duration::from_millis(1);
        assert_eq!(token.within(short, endless), Err(Stopped::OutOfTime(short)));
        token.limit_run(Instant::now(), Some(short));
        assert_eq!(token.within(LONG, endless), Err(Stopped::OverBudget(short)));
        token.limit_run(Instant::now(), None);
        let asked = token.clone();
        let asking = std::thread::spawn(move || asked.interrupt());
        assert_eq!(token.within(LONG, endless), Err(Stopped::Interrupted));
        asking.join().unwrap();
        assert_eq!(token.within(LONG, |_| ()), Err(Stopped::Interrupted), "nothing begins after it");
    }

    #[test]
    fn a_part_ends_with_the_whole_and_can_be_ended_alone() {
        let whole = StopToken::default();
        let (one, other) = (whole.part(), whole.part());
        one.interrupt();
        assert_eq!((one.check(), other.check(), whole.check()), (Err(Stopped::Interrupted), Ok(()), Ok(())));
        whole.interrupt();
        assert_eq!((other.check(), other.is_interrupted()), (Err(Stopped::Interrupted), true));
    }

    #[test]
    fn the_earlier_of_two_limits_holds_and_the_outer_one_again_afterwards() {
        let token = StopToken::default();
        let (short, longer) = (Duration::from_millis(1), Duration::from_secs(60));
        assert_eq!((token.time_left(), token.limited(None, || token.time_left())), (None, None));
        assert_eq!(token.limited(Some(short), || token.within(LONG, endless)), Err(Stopped::OverBudget(short)));
        assert_eq!(token.within(LONG, |_| 1), Ok(1), "the part is over, and nothing limits the rest");
        token.limit_run(Instant::now(), Some(short));
        assert_eq!(token.limited(Some(longer), || token.within(LONG, endless)), Err(Stopped::OverBudget(short)));
        assert_eq!(token.within(LONG, endless), Err(Stopped::OverBudget(short)));
    }

    #[test]
    fn work_that_ends_gives_its_result_and_a_panic_stays_one() {
        let token = StopToken::default();
        assert_eq!(token.within(LONG, |watch| (0..1000).inspect(|_| watch.checkpoint()).sum::<u32>()), Ok(499_500));
        let panic = catch_unwind(|| token.within(LONG, |_| resume_unwind(Box::new("a panic"))));
        assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"a panic"));
    }

    #[test]
    fn a_wait_does_not_count() {
        let limit = Duration::from_millis(200);
        let watch = StopToken::default().watch(limit);
        watch.wait(|| std::thread::sleep(limit * 2));
        assert_eq!(watch.check(), Ok(()));
        std::thread::sleep(limit * 2);
        assert_eq!(watch.check(), Err(Stopped::OutOfTime(limit)));
    }
}
