//! Jobs into their streams, under names by which the server knows duplicates.
//!
//! Anyone who reaches the server can know the id of a job, and take its name first. So a name that is known already says nothing by itself: the
//! server tells which message had it, and only if that is this job does the job wait.

use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, ErrorCode};
use ring::rand::{SecureRandom, SystemRandom};

use super::Nats;
use super::retry::retry;
use super::setup::LaneStream;
use crate::hex;
use crate::job::Job;
use crate::queue::{QueueError, Result};

/// What came of a message with a name.
pub(super) enum PublishedJob {
    New,
    /// The job waits under this name, or is being judged.
    Waiting,
    /// The message of this name is gone, or is something else.
    NameTaken,
}

impl Nats {
    /// Puts a job into its stream, unless it is there under this name.
    ///
    /// # Errors
    /// [`QueueError::Full`], or the server cannot be reached.
    pub(super) async fn publish(&self, job: &Job, name: &str) -> Result<PublishedJob> {
        let lane = self.lane(job.lane())?;
        let json = job.to_json();
        let send = || async {
            let message = PublishMessage::build().payload(json.clone().into()).message_id(name);
            self.jetstream.send_publish(lane.subject.clone(), message).await?.await
        };
        let acknowledged = match retry(self.settings.patience, is_full, send).await {
            Ok(acknowledged) => acknowledged?,
            Err(_) => return Err(QueueError::Full { lane: lane.lane, most: self.settings.most_waiting }),
        };
        Ok(match acknowledged.duplicate {
            false => PublishedJob::New,
            true if self.is_at(lane, acknowledged.sequence, job).await => PublishedJob::Waiting,
            true => PublishedJob::NameTaken,
        })
    }

    /// Puts a job in once more, under the name of this number; where something else has it, under one that nobody can know before.
    ///
    /// # Errors
    /// As of [`Self::publish`].
    pub(super) async fn publish_surely(&self, job: &Job, number: u32) -> Result<()> {
        let name = format!("{}.{number}", job.id());
        let PublishedJob::NameTaken = self.publish(job, &name).await? else { return Ok(()) };
        let mut nonce = [0; 16];
        let no_bytes = |_| QueueError::Unreachable("the system gives no random bytes".to_owned());
        SystemRandom::new().fill(&mut nonce).map_err(no_bytes)?;
        match self.publish(job, &format!("{name}.{}", hex::encode(&nonce))).await? {
            PublishedJob::New | PublishedJob::Waiting => Ok(()),
            PublishedJob::NameTaken => Err(QueueError::Foreign(format!("the job {} is taken for another", job.id()))),
        }
    }

    /// Whether the message is this job. One that cannot be asked for is none: at worst the job is judged twice.
    async fn is_at(&self, lane: &LaneStream, sequence: u64, job: &Job) -> bool {
        let message = lane.stream.get_raw_message(sequence).await;
        message.is_ok_and(|message| Job::from_json(&message.payload).is_ok_and(|present| present.id() == job.id()))
    }
}

fn is_full(error: &jetstream::context::PublishError) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(each) = cause {
        if let Some(error) = each.downcast_ref::<jetstream::Error>() {
            return error.error_code() == ErrorCode::STREAM_STORE_FAILED;
        }
        cause = each.source();
    }
    false
}
