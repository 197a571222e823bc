//! Putting a job into a queue, and believing its result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom, SystemRandom};

use crate::alarm::{Alarm, AlarmKind};
use crate::job::{Job, JobId};
use crate::keys::KnownKeys;
use crate::queue::{DeadJob, Ended, Queue, QueueError, Submitted, WorkerStatus};
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
            Submitted::Judged(result) => match self.believe(&id, result).await? {
                // A worker that is there made it, and its key is missing here: it would only say the same again.
                SubmitAnswer::Unbelieved(result) if self.is_of_a_worker(&result).await? => {
                    return Ok(SubmitAnswer::Unbelieved(result));
                }
                SubmitAnswer::Unbelieved(result) => return self.judged_again(job, result, wait).await,
                answer => return Ok(answer),
            },
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

    /// # Errors
    /// The queue cannot be reached.
    pub async fn wait(&self, id: &JobId, most: Duration) -> Result<SubmitAnswer, QueueError> {
        match self.queue.wait(id, most).await? {
            Some(Ended::Judged(result)) => self.believe(id, result).await,
            Some(Ended::Dead(dead)) => Ok(SubmitAnswer::Dead(dead)),
            None => Ok(SubmitAnswer::Waiting),
        }
    }

    async fn is_of_a_worker(&self, result: &SignedResult) -> Result<bool, QueueError> {
        let workers = self.queue.status().await?.workers;
        let is_there = |worker: &WorkerStatus| worker.last_heard < HEARD && !worker.beat.is_draining;
        Ok(workers.iter().any(|worker| is_there(worker) && worker.beat.key == result.key.to_string()))
    }

    /// A result that no known key signed is none: a worker judges the job, and its result takes the place of the other. Where workers know a
    /// key that the submitter does not, it stays.
    async fn judged_again(
        &self,
        job: &Job,
        present: Box<SignedResult>,
        wait: Duration,
    ) -> Result<SubmitAnswer, QueueError> {
        let (id, end) = (job.id(), Instant::now() + wait);
        self.queue.judge_again(job).await?;
        while Instant::now() < end {
            tokio::time::sleep(LOOK).await;
            if let Some(result) =
                self.queue.result(&id).await?.filter(|result| result.signer(&id, &self.known).is_some())
            {
                return Ok(SubmitAnswer::Judged(Box::new(result)));
            }
        }
        Ok(SubmitAnswer::Unbelieved(present))
    }

    async fn believe(&self, id: &JobId, result: Box<SignedResult>) -> Result<SubmitAnswer, QueueError> {
        if result.signer(id, &self.known).is_some() {
            return Ok(SubmitAnswer::Judged(result));
        }
        let detail = "its result is not signed by a key that the submitter knows";
        self.queue.raise(&Alarm::new(AlarmKind::UnknownKey, id, &[result.named()], detail)).await?;
        Ok(SubmitAnswer::Unbelieved(result))
    }
}

/// True so many times in a thousand, at random: nobody else knows when. Without random bytes, always.
pub fn draws(of_a_thousand: u32) -> bool {
    let mut bytes = [0; 4];
    let drawn = SystemRandom::new().fill(&mut bytes).map_or(0, |()| u32::from_le_bytes(bytes));
    drawn % 1000 < of_a_thousand
}
