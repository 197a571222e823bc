//! Putting a job into a queue, and believing its result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom, SystemRandom};

use crate::alarm::{Alarm, AlarmKind};
use crate::job::{Job, JobId};
use crate::keys::KnownKeys;
use crate::queue::{BeatStanding, DeadJob, Ended, Queue, QueueError, Submitted};
use crate::result::SignedResult;

/// Jobs of a thousand that another worker judges once more.
pub const AUDITED: u32 = 10;

/// Between looks for a result in the place of one that is not believed.
const LOOK: Duration = Duration::from_millis(250);

/// A worker says every few seconds that it is there.
const HEARD: Duration = Duration::from_secs(30);

/// Whoever submits.
pub struct Submitter {
    pub queue: Arc<dyn Queue>,
    /// Whose results are believed.
    pub known: KnownKeys,
    /// Of a thousand jobs, so many are judged twice. Chosen at random, so that no worker knows which.
    pub audited: u32,
}

/// What is known of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum SubmitAnswer {
    /// Nobody has judged it yet.
    Waiting,
    /// Signed by a known key.
    Judged(Box<SignedResult>),
    /// There is a result, and nobody knows who made it. It is not to be believed.
    Unbelieved(Box<SignedResult>),
    Dead(Box<DeadJob>),
}

impl Submitter {
    /// Puts a job in, and waits for its result at most so long; zero does not wait.
    ///
    /// # Errors
    /// [`QueueError::Full`], or the queue cannot be reached.
    pub async fn submit(&self, job: &Job, wait: Duration) -> Result<SubmitAnswer, QueueError> {
        let id = job.id();
        match self.queue.submit(job).await? {
            Submitted::Judged(result) if self.believes(&id, &result) => return Ok(SubmitAnswer::Judged(result)),
            Submitted::Judged(result) => {
                self.alarm(&id, &result).await?;
                // It would only say the same again.
                if self.is_of_a_worker(&id, &result).await? {
                    return Ok(SubmitAnswer::Unbelieved(result));
                }
                // What no known key signed is no result: a worker judges the job, and its result takes the place of the other.
                self.queue.judge_again(job).await?;
                return self.wait_for(&id, wait, Some(result)).await;
            }
            // Whoever submits it again says that the cause is gone.
            Submitted::Dead(dead) if dead.cause.is_tried_again() => drop(self.queue.retry(&id, Some(job)).await?),
            Submitted::Dead(dead) => return Ok(SubmitAnswer::Dead(dead)),
            Submitted::Accepted if draws(self.audited) => drop(self.queue.submit(&job.audit()).await?),
            Submitted::Accepted | Submitted::Waiting => {}
        }
        if wait.is_zero() {
            return Ok(SubmitAnswer::Waiting);
        }
        self.wait(&id, wait).await
    }

    /// Waits for the end of a job that was submitted.
    ///
    /// # Errors
    /// The queue cannot be reached.
    pub async fn wait(&self, id: &JobId, most: Duration) -> Result<SubmitAnswer, QueueError> {
        self.wait_for(id, most, None).await
    }

    /// Until a known key has signed a result, or a worker that is there has, whose key is missing here. Anyone else's stays only until a
    /// worker has judged the job; `told` is one that an alarm was raised for.
    async fn wait_for(
        &self,
        id: &JobId,
        most: Duration,
        mut unbelieved: Option<Box<SignedResult>>,
    ) -> Result<SubmitAnswer, QueueError> {
        let end = Instant::now() + most;
        loop {
            let result = match self.queue.wait(id, end.saturating_duration_since(Instant::now())).await? {
                Some(Ended::Judged(result)) => result,
                Some(Ended::Dead(dead)) => return Ok(SubmitAnswer::Dead(dead)),
                None => return Ok(unbelieved.map_or(SubmitAnswer::Waiting, SubmitAnswer::Unbelieved)),
            };
            if self.believes(id, &result) {
                return Ok(SubmitAnswer::Judged(result));
            }
            if unbelieved.as_ref() != Some(&result) {
                self.alarm(id, &result).await?;
                if self.is_of_a_worker(id, &result).await? {
                    return Ok(SubmitAnswer::Unbelieved(result));
                }
            }
            if Instant::now() >= end {
                return Ok(SubmitAnswer::Unbelieved(result));
            }
            unbelieved = Some(result);
            tokio::time::sleep(LOOK).await;
        }
    }

    /// A worker that is there signed it, its key is missing here, and no worker with a listed key is there that could judge the job for
    /// this submitter. Where one is, a beat of anyone else changes nothing.
    async fn is_of_a_worker(&self, id: &JobId, result: &SignedResult) -> Result<bool, QueueError> {
        if !result.is_signed_for(id) {
            return Ok(false);
        }
        let status = self.queue.status().await?;
        let mut there = status.workers.iter().filter(|worker| worker.is_there(HEARD));
        let is_of_one = there.clone().any(|worker| worker.beat.key == result.key);
        Ok(is_of_one && !there.any(|worker| worker.standing == BeatStanding::Believed))
    }

    fn believes(&self, id: &JobId, result: &SignedResult) -> bool {
        result.signer(id, &self.known).is_some()
    }

    async fn alarm(&self, id: &JobId, result: &SignedResult) -> Result<(), QueueError> {
        let detail = "its result is not signed by a key that the submitter knows";
        self.queue.raise(&Alarm::new(AlarmKind::UnknownKey, id, &[result.named()], detail)).await
    }
}

/// True so many times in a thousand, at random: nobody else knows when. Without random bytes, always.
pub fn draws(of_a_thousand: u32) -> bool {
    let mut bytes = [0; 4];
    let drawn = SystemRandom::new().fill(&mut bytes).map_or(0, |()| u32::from_le_bytes(bytes));
    drawn % 1000 < of_a_thousand
}
