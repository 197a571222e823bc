//! NATS JetStream: a stream of jobs for each lane, in which the server itself holds leases and counts; results in a bucket whose entries
//! are created once.

mod connect;
mod history;
mod publish;
mod results;
mod retry;
mod setup;
mod state;

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{AckKind, Context, Message};
use async_trait::async_trait;
use futures_util::StreamExt;

use super::access::Access;
use super::lease::Handle;
use super::{
    Claimed, Completed, DeadJob, Ended, Lease, Queue, QueueError, Result, Status, Submitted, UNREADABLE, WorkerBeat,
    signed_beat, unreadable_entry,
};
use crate::alarm::Alarm;
use crate::failure::{DeadCause, JobHistory};
use crate::job::{Job, JobId, Lane};
use crate::keys::WorkerKey;
use crate::result::SignedResult;
use crate::settings::FleetSettings;
use publish::PublishedJob;
use retry::until_done;
use setup::{LaneStream, QueueStreams};

/// A pull that the server forgot, because it was started anew, is given up so long after it should have ended.
const FORGOTTEN: Duration = Duration::from_millis(500);
/// Between looks for an end that nobody told.
const LOOK: Duration = Duration::from_secs(1);

pub struct Nats {
    settings: FleetSettings,
    client: Client,
    jetstream: Context,
    kept: QueueStreams,
}

impl Nats {
    /// # Errors
    /// The server cannot be reached, has no JetStream, or refuses.
    pub async fn connect(addresses: &str, settings: FleetSettings, access: &Access) -> Result<Self> {
        let (client, jetstream) = connect::connect(addresses, &settings, access).await?;
        let kept = setup::set_up(&jetstream, &settings).await?;
        Ok(Nats { settings, client, jetstream, kept })
    }

    fn lane(&self, lane: Lane) -> Result<&LaneStream> {
        let missing = || QueueError::Foreign(format!("there is no lane {lane}"));
        self.kept.lanes.iter().find(|each| each.lane == lane).ok_or_else(missing)
    }

    /// The subject on which the end of a job is told to those who wait.
    fn ended(&self, id: &JobId) -> String {
        format!("{}.ended.{id}", self.settings.name)
    }

    async fn tell_end(&self, id: &JobId) {
        // Who misses it looks for the result a second later.
        let _ = self.client.publish(self.ended(id), Vec::new().into()).await;
    }

    async fn pull(&self, lane: &LaneStream, wait: Duration) -> Option<Message> {
        let pulled = async {
            let mut batch = match wait.is_zero() {
                true => lane.workers.fetch().max_messages(1).messages().await.ok()?,
                false => lane.workers.batch().max_messages(1).expires(wait).messages().await.ok()?,
            };
            batch.next().await?.ok()
        };
        tokio::time::timeout(wait + FORGOTTEN, pulled).await.ok().flatten()
    }

    /// What cannot be said ends with the lease.
    async fn answer(&self, lease: &Lease, kind: AckKind) {
        if let Handle::Message(message) = &lease.handle {
            let _ = message.ack_with(kind).await;
        }
    }

    /// A message that is no job of this version: other workers may know better. One that nobody could read is dropped, with an alarm.
    async fn put_off(&self, message: &Message, attempt: u32, error: &crate::job::NotAJob) -> Result<()> {
        if attempt < UNREADABLE {
            tracing::warn!("a job in the queue is left to other workers: {error}");
            let _ = message.ack_with(AckKind::Nak(Some(self.settings.lease))).await;
            return Ok(());
        }
        self.keep_alarm(&unreadable_entry(&message.payload, &error.to_string())?).await?;
        let _ = message.ack().await;
        Ok(())
    }
}

#[async_trait]
impl Queue for Nats {
    async fn submit(&self, job: &Job) -> Result<Submitted> {
        if job.lane() != Lane::Audit {
            let id = job.id();
            let (result, dead) = tokio::try_join!(self.result(&id), self.dead(&id))?;
            if let Some(result) = result {
                return Ok(Submitted::Judged(Box::new(result)));
            }
            if let Some(dead) = dead {
                return Ok(Submitted::Dead(Box::new(dead)));
            }
        }
        match self.publish(job, &job.id().to_string()).await? {
            PublishedJob::New => Ok(Submitted::Accepted),
            PublishedJob::Waiting => Ok(Submitted::Waiting),
            // A second judgement that was made already.
            PublishedJob::NameTaken if job.lane() == Lane::Audit => Ok(Submitted::Waiting),
            PublishedJob::NameTaken => {
                let id = job.id();
                let (result, dead) = tokio::try_join!(self.result(&id), self.dead(&id))?;
                // It ended between the two looks; or nothing of it is there.
                if result.is_none() && dead.is_none() {
                    self.judge_again(job).await?;
                }
                Ok(Submitted::Waiting)
            }
        }
    }

    async fn claim(&self, _: &str, lane: Lane, wait: Duration) -> Result<Option<Claimed>> {
        let Some(message) = self.pull(self.lane(lane)?, wait).await else { return Ok(None) };
        let attempt = message.info().map_or(1, |info| u32::try_from(info.delivered).unwrap_or(u32::MAX));
        match Job::from_json(&message.payload) {
            Ok(job) => {
                let lease = Lease { job: job.id(), lane, handle: Handle::Message(Box::new(message)) };
                Ok(Some(Claimed { job, lease, attempt }))
            }
            Err(error) => {
                self.put_off(&message, attempt, &error).await?;
                Ok(None)
            }
        }
    }

    /// The server does not tell whether the lease was over; the first result counts, so that two workers do no harm.
    async fn extend(&self, lease: &Lease) -> Result<bool> {
        self.answer(lease, AckKind::Progress).await;
        Ok(true)
    }

    async fn give_back(&self, lease: Lease, delay: Duration) -> Result<()> {
        self.answer(&lease, AckKind::Nak(Some(delay))).await;
        Ok(())
    }

    async fn complete(&self, lease: Lease, result: &SignedResult) -> Result<Completed> {
        let completed = self.keep_result(&lease.job, result).await?;
        // From here on the job has its result: an acknowledgement that is lost brings it back once, and the next worker sees that.
        self.answer(&lease, AckKind::Ack).await;
        self.tell_end(&lease.job).await;
        Ok(completed)
    }

    async fn end(&self, lease: Lease) -> Result<()> {
        self.answer(&lease, AckKind::Ack).await;
        Ok(())
    }

    async fn bury(&self, lease: Lease, attempts: u32, cause: DeadCause, reason: &str) -> Result<()> {
        if let Handle::Message(message) = &lease.handle {
            self.keep_dead(&message.payload, message.headers.as_ref(), attempts, cause, reason).await?;
        }
        self.answer(&lease, AckKind::Ack).await;
        self.tell_end(&lease.job).await;
        Ok(())
    }

    async fn retry(&self, id: &JobId, anew: Option<&Job>) -> Result<bool> {
        let Some(dead) = self.dead(id).await? else { return Ok(false) };
        self.forget_history(id).await?;
        // First into the queue: a process that ends in between leaves it in both, and the result will count.
        self.publish_surely(anew.unwrap_or(&dead.job), dead.retries.saturating_add(1)).await?;
        until_done(self.settings.patience, || self.kept.dead.purge(id.as_str())).await?;
        Ok(true)
    }

    async fn judge_again(&self, job: &Job) -> Result<()> {
        // A name of its own: the server knows the one of the first time.
        let again = u32::try_from(jiff::Timestamp::now().as_second() / 60).unwrap_or(u32::MAX);
        self.publish_surely(job, again).await
    }

    async fn replace_result(&self, id: &JobId, result: &SignedResult) -> Result<()> {
        self.put_result(id, result).await?;
        self.tell_end(id).await;
        Ok(())
    }

    async fn history(&self, id: &JobId) -> Result<JobHistory> {
        self.kept_history(id).await
    }

    async fn put_history(&self, id: &JobId, history: &JobHistory) -> Result<()> {
        self.keep_history(id, history).await
    }

    async fn result(&self, id: &JobId) -> Result<Option<SignedResult>> {
        self.kept_result(id).await
    }

    async fn dead(&self, id: &JobId) -> Result<Option<DeadJob>> {
        self.kept_dead(id).await
    }

    async fn all_dead(&self, limit: usize) -> Result<Vec<DeadJob>> {
        self.newest_dead(limit).await
    }

    async fn wait(&self, id: &JobId, most: Duration) -> Result<Option<Ended>> {
        let end = tokio::time::Instant::now() + most;
        // Before the first look, so that nothing is missed in between.
        let mut ended = self.client.subscribe(self.ended(id)).await.ok();
        loop {
            let (result, dead) = tokio::try_join!(self.result(id), self.dead(id))?;
            if let Some(result) = result {
                return Ok(Some(Ended::Judged(Box::new(result))));
            }
            if let Some(dead) = dead {
                return Ok(Some(Ended::Dead(Box::new(dead))));
            }
            let now = tokio::time::Instant::now();
            if now >= end {
                return Ok(None);
            }
            let until = end.min(now + LOOK);
            match &mut ended {
                Some(ended) => drop(tokio::time::timeout_at(until, ended.next()).await),
                None => tokio::time::sleep_until(until).await,
            }
        }
    }

    /// The server does.
    async fn tidy(&self) -> Result<()> {
        Ok(())
    }

    async fn raise(&self, alarm: &Alarm) -> Result<()> {
        self.keep_alarm(alarm).await
    }

    async fn alarms(&self, limit: usize) -> Result<Vec<Alarm>> {
        self.newest_alarms(limit).await
    }

    async fn beat(&self, beat: &WorkerBeat, key: &WorkerKey) -> Result<()> {
        let signed = signed_beat::sign(&self.settings.name, beat, key);
        // Not tried again: one that is lost is followed by another.
        let put = self.kept.workers.put(&beat.name, signed.into()).await;
        put.map(drop).map_err(|error| QueueError::Unreachable(error.to_string()))
    }

    async fn status(&self) -> Result<Status> {
        self.present_status().await
    }

    async fn put_object(&self, bytes: &[u8]) -> Result<String> {
        self.keep_object(bytes).await
    }

    async fn object(&self, sha256: &str) -> Result<Option<Vec<u8>>> {
        self.kept_object(sha256).await
    }

    async fn drop_object(&self, sha256: &str) -> Result<()> {
        // What stays goes by its age.
        let _ = self.kept.objects.delete(sha256).await;
        Ok(())
    }

    async fn put_verdicts(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let subject = format!("{}.verdicts.{name}", self.settings.name);
        let sent = self.jetstream.publish(subject, bytes.to_vec().into()).await;
        // A cache: what cannot be kept is judged again.
        sent.map(drop).map_err(|error| QueueError::NoRoom(error.to_string()))
    }

    async fn verdicts(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let subject = format!("{}.verdicts.{name}", self.settings.name);
        Ok(self.kept.verdicts.direct_get_last_for_subject(subject).await.ok().map(|message| message.payload.to_vec()))
    }
}
