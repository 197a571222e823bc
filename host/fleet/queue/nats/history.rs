//! What is known of jobs that came back: a bucket, one entry a job.

use super::Nats;
use super::retry::until_done;
use crate::failure::JobHistory;
use crate::job::JobId;
use crate::queue::Result;

impl Nats {
    pub(super) async fn kept_history(&self, id: &JobId) -> Result<JobHistory> {
        let value = until_done(self.settings.patience, || self.kept.history.get(id.as_str())).await?;
        // What another version wrote counts as nothing: at worst a job is tried more often.
        Ok(value.and_then(|value| serde_json::from_slice(&value).ok()).unwrap_or_default())
    }

    pub(super) async fn keep_history(&self, id: &JobId, history: &JobHistory) -> Result<()> {
        let json = serde_json::to_vec(history).unwrap_or_default();
        until_done(self.settings.patience, || self.kept.history.put(id.as_str(), json.clone().into())).await.map(drop)
    }

    pub(super) async fn forget_history(&self, id: &JobId) -> Result<()> {
        until_done(self.settings.patience, || self.kept.history.purge(id.as_str())).await
    }
}
