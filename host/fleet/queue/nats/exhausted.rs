//! Jobs that were handed out too often. A stream of this kind keeps them, and the server only says so once, in an advisory, which a stream
//! of ours keeps. An advisory that was lost is made up for: what stands before the point up to which all is answered, and is still there,
//! was given up.

use std::time::Duration;

use futures_util::StreamExt;
use serde::Deserialize;

use super::Nats;
use super::setup::LaneStream;
use crate::alarm::{Alarm, AlarmKind};
use crate::hex;
use crate::job::{Job, JobId};
use crate::queue::{Result, exhausted};

/// Advisories, and jobs of a lane, of one look.
const AT_ONCE: usize = 100;
/// For one of them.
const WAIT: Duration = Duration::from_secs(2);

/// What the server says, of which this is enough.
#[derive(Deserialize)]
struct Advisory {
    stream: String,
    stream_seq: u64,
    deliveries: u32,
}

impl Nats {
    pub(super) async fn bury_exhausted(&self) -> Result<()> {
        if let Ok(mut advisories) = self.kept.exhausted.fetch().max_messages(AT_ONCE).messages().await {
            while let Ok(Some(Ok(message))) = tokio::time::timeout(WAIT, advisories.next()).await {
                if let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload) {
                    let name = |lane: &&LaneStream| advisory.stream == format!("{}-{}", self.settings.name, lane.lane);
                    if let Some(lane) = self.kept.lanes.iter().find(name) {
                        self.bury_message(lane, advisory.stream_seq, advisory.deliveries).await?;
                    }
                }
                let _ = message.ack().await;
            }
        }
        for lane in &self.kept.lanes {
            self.bury_forgotten(lane).await?;
        }
        Ok(())
    }

    async fn bury_forgotten(&self, lane: &LaneStream) -> Result<()> {
        for _ in 0..AT_ONCE {
            let Ok(stream) = lane.stream.get_info().await else { return Ok(()) };
            let mut workers = lane.workers.clone();
            let Ok(answered) = workers.info().await.map(|info| info.ack_floor.stream_sequence) else { return Ok(()) };
            let first = stream.state.first_sequence;
            if stream.state.messages == 0 || first > answered {
                return Ok(());
            }
            self.bury_message(lane, first, self.settings.deliveries).await?;
        }
        Ok(())
    }

    /// Puts the job of a message aside, if it is still there. One that has its result by now only goes.
    async fn bury_message(&self, lane: &LaneStream, sequence: u64, deliveries: u32) -> Result<()> {
        let Ok(message) = lane.stream.get_raw_message(sequence).await else { return Ok(()) };
        match Job::from_json(&message.payload) {
            Ok(job) => {
                let reason = exhausted(deliveries);
                self.keep_dead(&message.payload, Some(&message.headers), deliveries, &reason).await?;
                self.tell_end(&job.id()).await;
            }
            Err(error) => {
                let Ok(id) = JobId::try_from(hex::sha256(&message.payload)) else { return Ok(()) };
                let detail = format!("{error}; the job was dropped, and its id is that of its bytes");
                self.keep_alarm(&Alarm::new(AlarmKind::UnreadableJob, &id, &[], &detail)).await?;
            }
        }
        // Another worker may have been faster.
        let _ = lane.stream.delete_message(sequence).await;
        Ok(())
    }
}
