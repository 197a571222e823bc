//! One job, from its claim to its end.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::{How, Worker};
use crate::alarm::{Alarm, AlarmKind};
use crate::failure::{DeadCause, FailureOwner, JobFailure, JobHistory, NotBy};
use crate::job::{JobId, Lane};
use crate::queue::{Claimed, Completed, Lease, QueueError};
use crate::result::SignedResult;

/// A remote that cannot be reached for so long ends a job.
const UNREACHABLE: Duration = Duration::from_secs(60 * 60);

/// What became of a job that a worker took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handled {
    Done,
    /// Others have to do it.
    NotMine,
}

/// Why a worker leaves a job to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Because {
    /// It was not allowed to judge it.
    MayNot,
    /// It failed for a reason of its own.
    Failed,
    /// It did, and not long ago.
    FailedBefore,
}

/// What is known of a job that this worker has.
struct Held {
    id: JobId,
    attempt: u32,
    history: JobHistory,
}

impl Worker {
    pub(super) async fn handle(&self, claimed: Claimed) -> Handled {
        self.state.busy.fetch_add(1, Ordering::Relaxed);
        let id = claimed.job.id();
        let done = match claimed.job.lane() {
            Lane::Fast | Lane::Heavy => self.judge_and_answer(claimed).await,
            Lane::Audit => self.audit(claimed).await.map(|()| Handled::Done),
        };
        self.state.busy.fetch_sub(1, Ordering::Relaxed);
        done.unwrap_or_else(|error| {
            // The lease ends, and the job comes back.
            tracing::warn!(job = %id, "{error}");
            Handled::Done
        })
    }

    async fn judge_and_answer(&self, claimed: Claimed) -> Result<Handled, QueueError> {
        let Claimed { job, lease, attempt } = claimed;
        let mut held = Held { id: job.id(), attempt, history: JobHistory::default() };
        if attempt > 1 {
            // Another worker lost its lease, and answered nevertheless.
            let present = self.queue.result(&held.id).await?;
            if present.is_some_and(|present| present.signer(&held.id, &self.known).is_some()) {
                return self.queue.end(lease).await.map(|()| Handled::Done);
            }
            held.history = self.queue.history(&held.id).await?;
            if held.history.take_crash() {
                self.queue.put_history(&held.id, &held.history).await?;
            }
            if held.history.crashes >= self.settings.deliveries {
                return self.bury_poison(lease, &held).await.map(|()| Handled::Done);
            }
        }
        if let Err(reason) = self.judge.may_take(&job) {
            return self.leave_to_others(lease, held, &reason, Because::MayNot).await;
        }
        let own = held.history.not_by.get(&self.key.public().to_string());
        if let Some(not_by) = own.filter(|not_by| not_by.age() < self.settings.lease * 6) {
            let reason = not_by.reason.clone();
            return self.leave_to_others(lease, held, &reason, Because::FailedBefore).await;
        }
        // What is fetched stays, also when this worker is killed: only what comes after it counts as judging.
        if let Err(failure) = self.with_lease(&lease, self.judge.prepare(&job)).await {
            return self.answer_failure(lease, held, failure).await;
        }
        if attempt > 1 {
            held.history.judging = Some(self.key.public().to_string());
            self.queue.put_history(&held.id, &held.history).await?;
        }
        let begun = Instant::now();
        match self.with_lease(&lease, self.judge.judge(&job, How::Usual)).await {
            // A guard that failed here may work elsewhere. What fails twice is the result.
            Ok(judged) if judged.is_doubtful && attempt == 1 => {
                self.queue.give_back(lease, self.settings.delay(attempt)).await?;
            }
            Ok(judged) => {
                let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
                let result = SignedResult::sign(held.id.clone(), &judged, attempt, micros, &self.key);
                let completed = self.queue.complete(lease, &result).await?;
                self.state.judged.fetch_add(1, Ordering::Relaxed);
                self.state.recent.add();
                self.breaker.worked();
                self.spent.add(&job);
                if let Completed::Present(present) = completed {
                    self.compare(&held.id, &present, &result).await?;
                }
            }
            Err(failure) => return self.answer_failure(lease, held, failure).await,
        }
        Ok(Handled::Done)
    }

    /// Counts a failure where it belongs.
    async fn answer_failure(&self, lease: Lease, mut held: Held, failure: JobFailure) -> Result<Handled, QueueError> {
        let JobFailure { reason, owner } = failure;
        let (id, attempt) = (held.id.clone(), held.attempt);
        tracing::warn!(job = %id, attempt, ?owner, "{reason}");
        self.state.failed.fetch_add(1, Ordering::Relaxed);
        held.history.judging = None;
        match owner {
            FailureOwner::Job => self.queue.bury(lease, attempt, DeadCause::Job, &reason).await?,
            FailureOwner::Worker => {
                self.breaker.failed(&reason, self.settings.lease * 3);
                return self.leave_to_others(lease, held, &reason, Because::Failed).await;
            }
            FailureOwner::Crash => {
                held.history.crashes += 1;
                self.queue.put_history(&id, &held.history).await?;
                match held.history.crashes >= self.settings.deliveries {
                    true => self.queue.bury(lease, attempt, DeadCause::Crash, &reason).await?,
                    false => self.queue.give_back(lease, self.settings.delay(held.history.crashes)).await?,
                }
            }
            FailureOwner::Remote if held.history.unreachable() >= UNREACHABLE => {
                self.queue.bury(lease, attempt, DeadCause::Remote, &reason).await?;
            }
            FailureOwner::Remote | FailureOwner::Queue => {
                self.queue.put_history(&id, &held.history).await?;
                self.queue.give_back(lease, self.settings.delay(attempt)).await?;
            }
        }
        Ok(Handled::Done)
    }

    /// Gives a job back that this worker cannot judge, and remembers that. What no worker may take is put aside after a while, with what each
    /// of them says.
    async fn leave_to_others(
        &self,
        lease: Lease,
        held: Held,
        reason: &str,
        why: Because,
    ) -> Result<Handled, QueueError> {
        let Held { id, attempt, mut history, .. } = held;
        let (key, may_not) = (self.key.public().to_string(), why == Because::MayNot);
        let is_known = match why {
            Because::MayNot => history.not_by.get(&key).is_some_and(|not_by| not_by.may_not),
            Because::Failed => false,
            Because::FailedBefore => true,
        };
        if !is_known {
            tracing::debug!(job = %id, "left to other workers: {reason}");
            history.not_by.insert(key, NotBy::now(reason, may_not));
            self.queue.put_history(&id, &history).await?;
        }
        self.state.left.fetch_add(1, Ordering::Relaxed);
        if may_not && let Some(reasons) = self.nobody_may(&history).await? {
            self.queue.bury(lease, attempt, DeadCause::NoWorker, &reasons).await?;
            return Ok(Handled::NotMine);
        }
        // At once: whoever else is free may take it. Later it waits a moment each time, and never longer: this worker pauses by itself, and a job that
        // waited longer the more often the wrong workers had it would wait for minutes once the right ones are back.
        let delay = if attempt > 3 { self.settings.delay(1) } else { Duration::ZERO };
        self.queue.give_back(lease, delay).await?;
        Ok(Handled::NotMine)
    }

    /// What the workers say, if none of those that are there may take the job, for longer than one needs to start.
    async fn nobody_may(&self, history: &JobHistory) -> Result<Option<String>, QueueError> {
        let patience = self.settings.lease * 6;
        let may_not = |not_by: &&NotBy| not_by.may_not && not_by.age() >= patience;
        if !history.not_by.values().any(|not_by| may_not(&not_by)) {
            return Ok(None);
        }
        let status = self.queue.status().await?;
        let alive = status.counted().filter(|worker| worker.is_there(self.settings.lease * 3));
        let reasons: Option<Vec<String>> = alive
            .map(|worker| {
                let not_by = history.not_by.get(&worker.beat.key.to_string()).filter(|not_by| not_by.may_not)?;
                Some(format!("{}: {}", worker.beat.name, not_by.reason))
            })
            .collect();
        Ok(reasons
            .filter(|reasons| !reasons.is_empty())
            .map(|reasons| format!("no worker may take it: {}", reasons.join("; "))))
    }

    async fn bury_poison(&self, lease: Lease, held: &Held) -> Result<(), QueueError> {
        let crashes = held.history.crashes;
        let reason =
            format!("{crashes} workers died while they judged it: it may crash or stop the process that judges it");
        self.queue.bury(lease, held.attempt, DeadCause::Crash, &reason).await
    }

    /// Works while it says that it lives. A panic is a failure of the job, not of the worker.
    pub(super) async fn with_lease<T>(
        &self,
        lease: &Lease,
        work: impl Future<Output = Result<T, JobFailure>>,
    ) -> Result<T, JobFailure> {
        let living = async {
            loop {
                tokio::time::sleep(self.settings.renew).await;
                if let Err(error) = self.queue.extend(lease).await {
                    tracing::warn!(job = %lease.job, "{error}");
                }
            }
        };
        let panicked = |payload: Box<dyn std::any::Any + Send>| {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(JobFailure::new(FailureOwner::Crash, format!("judging it panicked: {text}")))
        };
        tokio::select! {
            done = AssertUnwindSafe(work).catch_unwind() => done.unwrap_or_else(panicked),
            () = living => Err(JobFailure::new(FailureOwner::Queue, "the lease cannot be extended")),
        }
    }

    /// Two results of one job must be equal. One that no known key signed is none, and this worker's takes its place.
    pub(super) async fn compare(
        &self,
        id: &JobId,
        present: &SignedResult,
        own: &SignedResult,
    ) -> Result<(), QueueError> {
        let workers = [present.named(), own.named()];
        if present.signer(id, &self.known).is_none() {
            let detail = "what stood in the place of the result is not signed by a known key; it was replaced";
            self.alarm(Alarm::new(AlarmKind::UnknownKey, id, &workers, detail)).await?;
            return self.queue.replace_result(id, own).await;
        }
        if present.says_the_same(own) {
            return Ok(());
        }
        let detail = difference(&present.report, &own.report);
        self.alarm(Alarm::new(AlarmKind::Nondeterminism, id, &workers, &detail)).await
    }

    async fn alarm(&self, alarm: Alarm) -> Result<(), QueueError> {
        self.state.alarms.fetch_add(1, Ordering::Relaxed);
        tracing::error!("{alarm}");
        self.queue.raise(&alarm).await
    }
}

/// Where two reports part.
pub fn difference(kept: &str, other: &str) -> String {
    const AROUND: usize = 120;
    let at = kept.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        let bytes = text.as_bytes();
        let (from, to) = (at.saturating_sub(AROUND / 2).min(bytes.len()), (at + AROUND).min(bytes.len()));
        String::from_utf8_lossy(&bytes[from..to]).into_owned()
    };
    format!("they differ from byte {at}: stored …{}… and now …{}…", part(kept), part(other))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_shows_both_sides_and_cuts_no_character_in_two() {
        for (kept, other) in [("", "x"), ("äöü", "äöx"), ("same", "same"), ("long", &"ü".repeat(500))] {
            let text = difference(kept, other);
            assert!(text.starts_with("they differ from byte"), "{text}");
        }
        assert!(difference("{\"verdict\":\"pass\"}", "{\"verdict\":\"reject\"}").contains("byte 12"));
    }
}
