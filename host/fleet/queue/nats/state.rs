//! What the fleet does: lanes, workers, alarms.

use std::time::Duration;

use futures_util::StreamExt;

use super::Nats;
use super::retry::until_done;
use super::setup::LaneStream;
use crate::alarm::Alarm;
use crate::queue::status::GONE;
use crate::queue::{LaneStatus, Result, Status, WorkerStatus, signed_beat};

/// The newest that a status shows.
const SHOWN: usize = 10;

impl Nats {
    pub(super) async fn present_status(&self) -> Result<Status> {
        let mut lanes = Vec::new();
        for lane in &self.kept.lanes {
            lanes.push(self.lane_status(lane).await?);
        }
        Ok(Status {
            lanes,
            workers: self.workers().await?,
            dead: self.dead_ids().await?.len() as u64,
            object_bytes: self.object_bytes().await?,
            most_object_bytes: self.settings.most_bytes,
            newest_dead: self.newest_dead(SHOWN).await?,
            alarms: self.newest_alarms(SHOWN).await?,
        })
    }

    /// Of the stream below the object store.
    async fn object_bytes(&self) -> Result<u64> {
        let name = format!("OBJ_{}-objects", self.settings.name);
        let info = || async { self.jetstream.get_stream(&name).await.map(|stream| stream.cached_info().state.bytes) };
        until_done(self.settings.patience, info).await
    }

    async fn lane_status(&self, lane: &LaneStream) -> Result<LaneStatus> {
        let state = until_done(self.settings.patience, || lane.stream.get_info()).await?.state;
        let info = || async { lane.workers.clone().info().await.map(|info| info.num_ack_pending as u64) };
        let leased = until_done(self.settings.patience, info).await?.min(state.messages);
        let oldest = match state.messages {
            0 => Duration::ZERO,
            _ => since(state.first_timestamp.unix_timestamp_nanos()),
        };
        Ok(LaneStatus { lane: lane.lane, waiting: state.messages - leased, leased, oldest })
    }

    async fn workers(&self) -> Result<Vec<WorkerStatus>> {
        let mut names = until_done(self.settings.patience, || self.kept.workers.keys()).await?;
        let mut found = Vec::new();
        while let Some(Ok(name)) = names.next().await {
            let entry = until_done(self.settings.patience, || self.kept.workers.entry(name.as_str())).await?;
            let Some(entry) = entry else { continue };
            let last_heard = since(entry.created.unix_timestamp_nanos());
            let worker = signed_beat::read(&name, &entry.value, last_heard, &self.settings);
            found.extend(worker.filter(|_| last_heard < GONE));
        }
        found.sort_by(|a, b| a.beat.name.cmp(&b.beat.name));
        Ok(found)
    }

    pub(super) async fn keep_alarm(&self, alarm: &Alarm) -> Result<()> {
        let json = serde_json::to_vec(alarm).unwrap_or_default();
        let subject = format!("{}.alarms", self.settings.name);
        until_done(self.settings.patience, || async {
            self.jetstream.publish(subject.clone(), json.clone().into()).await?.await
        })
        .await
        .map(drop)
    }

    pub(super) async fn newest_alarms(&self, limit: usize) -> Result<Vec<Alarm>> {
        let state = until_done(self.settings.patience, || self.kept.alarms.get_info()).await?.state;
        let mut found = Vec::new();
        let mut sequence = state.last_sequence;
        while found.len() < limit && sequence >= state.first_sequence.max(1) {
            if let Ok(message) = self.kept.alarms.get_raw_message(sequence).await {
                found.extend(serde_json::from_slice::<Alarm>(&message.payload));
            }
            sequence -= 1;
        }
        Ok(found)
    }
}

/// By the clocks of the server and of this machine: they are said to be close.
fn since(nanos: i128) -> Duration {
    let now = jiff::Timestamp::now().as_nanosecond();
    Duration::from_nanos(u64::try_from(now - nanos).unwrap_or(0))
}
