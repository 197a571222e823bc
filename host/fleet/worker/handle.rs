//! One job, from its claim to its end.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::Instant;

use futures_util::FutureExt;

use super::{How, JobFailure, Worker};
use crate::alarm::{Alarm, AlarmKind};
use crate::job::{Job, JobId, Lane};
use crate::queue::{Claimed, Completed, Lease, QueueError};
use crate::result::{Judged, SignedResult};

impl Worker {
    pub(super) async fn handle(&self, claimed: Claimed) {
        self.state.busy.fetch_add(1, Ordering::Relaxed);
        let id = claimed.job.id();
        let done = match claimed.job.lane() {
            Lane::Fast | Lane::Heavy => self.judge_and_answer(claimed).await,
            Lane::Audit => self.audit(claimed).await,
        };
        if let Err(error) = done {
            // The lease ends, and the job comes back.
            tracing::warn!("job {id}: {error}");
        }
        self.state.busy.fetch_sub(1, Ordering::Relaxed);
    }

    async fn judge_and_answer(&self, claimed: Claimed) -> Result<(), QueueError> {
        let Claimed { job, lease, attempt } = claimed;
        let id = job.id();
        // Another worker lost its lease, and answered nevertheless.
        if attempt > 1 && self.queue.result(&id).await?.is_some() {
            return self.queue.end(lease).await;
        }
        let begun = Instant::now();
        match self.judge_leased(&job, How::Usual, &lease).await {
            // A guard that failed here may work elsewhere. What fails twice is the result.
            Ok(judged) if judged.is_doubtful && attempt == 1 && !self.settings.is_last(attempt) => {
                self.queue.give_back(lease, self.settings.delay(attempt)).await
            }
            Ok(judged) => {
                let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
                let result = SignedResult::sign(id.clone(), &judged, attempt, micros, &self.key);
                let completed = self.queue.complete(lease, &result).await?;
                self.state.judged.fetch_add(1, Ordering::Relaxed);
                self.state.recent.add();
                match completed {
                    Completed::First => Ok(()),
                    Completed::Present(present) => self.compare(&id, &present, &result).await,
                }
            }
            Err(failure) => {
                self.state.failed.fetch_add(1, Ordering::Relaxed);
                tracing::warn!("job {id}, attempt {attempt}: {}", failure.reason);
                match failure.is_passing && !self.settings.is_last(attempt) {
                    true => self.queue.give_back(lease, self.settings.delay(attempt)).await,
                    false => self.queue.bury(lease, attempt, &failure.reason).await,
                }
            }
        }
    }

    /// Judges while it says that it lives. A panic is a failure of the job, not of the worker.
    pub(super) async fn judge_leased(&self, job: &Job, how: How, lease: &Lease) -> Result<Judged, JobFailure> {
        let living = async {
            loop {
                tokio::time::sleep(self.settings.renew).await;
                if let Err(error) = self.queue.extend(lease).await {
                    tracing::warn!("job {}: {error}", lease.job);
                }
            }
        };
        let judging = AssertUnwindSafe(self.judge.judge(job, how)).catch_unwind();
        let panicked = |payload: Box<dyn std::any::Any + Send>| {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(JobFailure { reason: format!("judging it panicked: {text}"), is_passing: true })
        };
        tokio::select! {
            judged = judging => judged.unwrap_or_else(panicked),
            () = living => Err(JobFailure { reason: "the lease cannot be extended".to_owned(), is_passing: true }),
        }
    }

    /// Two results of one job must be equal.
    pub(super) async fn compare(
        &self,
        id: &JobId,
        present: &SignedResult,
        own: &SignedResult,
    ) -> Result<(), QueueError> {
        let workers = [present.named(), own.named()];
        if present.signer(id, &self.known).is_none() {
            let detail = "the result that is kept is not signed by a known key";
            self.alarm(Alarm::new(AlarmKind::UnknownKey, id, &workers, detail)).await?;
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
    format!("they part at byte {at}: kept …{}… and now …{}…", part(kept), part(other))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_shows_both_sides_and_cuts_no_character_in_two() {
        for (kept, other) in [("", "x"), ("äöü", "äöx"), ("same", "same"), ("long", &"ü".repeat(500))] {
            let text = difference(kept, other);
            assert!(text.starts_with("they part at byte"), "{text}");
        }
        assert!(difference("{\"verdict\":\"pass\"}", "{\"verdict\":\"reject\"}").contains("byte 12"));
    }
}
