//! A second judgement: by another worker, of everything anew.

use super::{How, Worker};
use crate::failure::{FailureOwner, JobFailure};
use crate::job::Job;
use crate::queue::{Claimed, QueueError};
use crate::result::{JobRuling, SignedResult};

impl Worker {
    pub(super) async fn audit(&self, claimed: Claimed) -> Result<(), QueueError> {
        let Claimed { job, lease, attempt } = claimed;
        let id = job.id();
        let is_last = self.settings.is_last(attempt);
        let later = self.settings.delay(attempt);
        let present = match self.queue.result(&id).await? {
            Some(present) if present.key != self.key.public() => present,
            // It is not judged yet, or by this worker, which would only say the same again.
            Some(_) | None if is_last => return self.queue.end(lease).await,
            Some(_) | None => return self.queue.give_back(lease, later).await,
        };
        match self.with_lease(&lease, self.judge_anew(&job)).await {
            Ok(judged) if judged.is_doubtful && !is_last => self.queue.give_back(lease, later).await,
            Ok(judged) => {
                let own = SignedResult::sign(id.clone(), &judged, attempt, 0, &self.key);
                self.compare(&id, &present, &own).await?;
                self.queue.end(lease).await
            }
            Err(failure) if failure.is_passing() && !is_last => self.queue.give_back(lease, later).await,
            Err(failure) => {
                tracing::warn!(job = %id, "its second judgement: {}", failure.reason);
                self.queue.end(lease).await
            }
        }
    }

    async fn judge_anew(&self, job: &Job) -> Result<JobRuling, JobFailure> {
        self.judge.may_take(job).map_err(|reason| JobFailure::new(FailureOwner::Worker, reason))?;
        self.judge.prepare(job).await?;
        self.judge.judge(job, How::Fresh).await
    }
}
