//! How jobs ended: results, the dead, and objects.

use async_nats::HeaderMap;
use async_nats::jetstream::kv::{self, CreateErrorKind};
use async_nats::jetstream::object_store::GetErrorKind;
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;

use super::Nats;
use super::retry::{retry, until_done};
use crate::failure::DeadCause;
use crate::hex;
use crate::job::{Job, JobId, Lane};
use crate::queue::{Completed, DeadJob, QueueError, Result};
use crate::result::SignedResult;

/// Bytes of a result in a bucket: a message has at most 1 MiB, unless the server was told otherwise. Larger ones are objects.
const INLINE: usize = 512 << 10;
/// How a bucket names an object.
const OBJECT: &[u8] = b"object:";
/// Bytes of an object that is read.
const MOST_OBJECT: u64 = 1 << 30;

impl Nats {
    /// Keeps the first result; or gives the one that is there.
    pub(super) async fn keep_result(&self, id: &JobId, result: &SignedResult) -> Result<Completed> {
        let json = self.as_kept(result).await?;
        if create(&self.kept.results, self, id.as_str(), &json).await? {
            return Ok(Completed::First);
        }
        match self.kept_result(id).await? {
            // The answer to an earlier try was lost.
            Some(present) if present == *result => Ok(Completed::First),
            Some(present) => Ok(Completed::Present(Box::new(present))),
            // Nothing that a worker wrote.
            None => self.put_result(id, result).await.map(|()| Completed::First),
        }
    }

    pub(super) async fn put_result(&self, id: &JobId, result: &SignedResult) -> Result<()> {
        let json = self.as_kept(result).await?;
        until_done(self.settings.patience, || self.kept.results.put(id.as_str(), json.clone().into())).await.map(drop)
    }

    async fn as_kept(&self, result: &SignedResult) -> Result<Vec<u8>> {
        let json = result.to_json();
        Ok(match json.len() > INLINE {
            true => [OBJECT, self.keep_object(&json).await?.as_bytes()].concat(),
            false => json,
        })
    }

    pub(super) async fn kept_result(&self, id: &JobId) -> Result<Option<SignedResult>> {
        let get = || self.kept.results.get(id.as_str());
        let Some(value) = until_done(self.settings.patience, get).await? else { return Ok(None) };
        let value = match value.strip_prefix(OBJECT) {
            Some(name) => match self.kept_object(&String::from_utf8_lossy(name)).await? {
                Some(bytes) => bytes,
                None => return Ok(None),
            },
            None => value.to_vec(),
        };
        // What cannot be read is nothing that a worker wrote: the job is judged again.
        Ok(SignedResult::from_json(&value))
    }

    /// Puts a job aside, unless it has a result.
    pub(super) async fn keep_dead(
        &self,
        payload: &[u8],
        headers: Option<&HeaderMap>,
        attempts: u32,
        cause: DeadCause,
        reason: &str,
    ) -> Result<()> {
        let job = Job::from_json(payload)?;
        let id = job.id();
        if job.lane() == Lane::Audit || self.kept_result(&id).await?.is_some() {
            return Ok(());
        }
        let name =
            headers.and_then(|headers| headers.get(async_nats::header::NATS_MESSAGE_ID)).map(|name| name.as_str());
        let retries = name.and_then(|name| name.split('.').nth(1)?.parse().ok()).unwrap_or(0);
        let (reason, at) = (reason.to_owned(), jiff::Timestamp::now().to_string());
        let dead = DeadJob { job, reason, cause, attempts, retries, at };
        let json = serde_json::to_vec(&dead).unwrap_or_default();
        create(&self.kept.dead, self, id.as_str(), &json).await.map(drop)
    }

    pub(super) async fn kept_dead(&self, id: &JobId) -> Result<Option<DeadJob>> {
        let get = || self.kept.dead.get(id.as_str());
        let value = until_done(self.settings.patience, get).await?;
        Ok(value.and_then(|value| serde_json::from_slice(&value).ok()))
    }

    pub(super) async fn dead_ids(&self) -> Result<Vec<JobId>> {
        let mut keys = until_done(self.settings.patience, || self.kept.dead.keys()).await?;
        let mut ids = Vec::new();
        while let Some(key) = keys.next().await {
            ids.extend(key.ok().and_then(|key| JobId::try_from(key).ok()));
        }
        Ok(ids)
    }

    pub(super) async fn newest_dead(&self, limit: usize) -> Result<Vec<DeadJob>> {
        let mut all = Vec::new();
        for id in self.dead_ids().await? {
            all.extend(self.kept_dead(&id).await?);
        }
        all.sort_by(|a, b| b.at.cmp(&a.at));
        all.truncate(limit);
        Ok(all)
    }

    pub(super) async fn keep_object(&self, bytes: &[u8]) -> Result<String> {
        let name = hex::sha256(bytes);
        // Who put it there may have put anything: only its bytes tell.
        let is_as_long = self.kept.objects.info(&name).await.is_ok_and(|info| info.size == bytes.len());
        if is_as_long && self.kept_object(&name).await?.is_some() {
            return Ok(name);
        }
        let put = || async {
            let mut bytes = bytes;
            self.kept.objects.put(name.as_str(), &mut bytes).await
        };
        let is_full = |error: &async_nats::jetstream::object_store::PutError| error.to_string().contains("maximum");
        let done = retry(self.settings.patience, is_full, put).await;
        done.map_err(|error| QueueError::NoRoom(error.to_string()))??;
        Ok(name)
    }

    pub(super) async fn kept_object(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let is_missing = |error: &async_nats::jetstream::object_store::GetError| error.kind() == GetErrorKind::NotFound;
        let Ok(object) = retry(self.settings.patience, is_missing, || self.kept.objects.get(name)).await else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let read = object?.take(MOST_OBJECT).read_to_end(&mut bytes).await;
        read.map_err(|error| QueueError::Unreachable(format!("object {name}: {error}")))?;
        Ok((hex::sha256(&bytes) == name).then_some(bytes))
    }
}

/// False when there is an entry of this name.
async fn create(store: &kv::Store, nats: &Nats, key: &str, value: &[u8]) -> Result<bool> {
    let exists = |error: &kv::CreateError| error.kind() == CreateErrorKind::AlreadyExists;
    match retry(nats.settings.patience, exists, || store.create(key, value.to_vec().into())).await {
        Ok(created) => created.map(|_| true),
        Err(_) => Ok(false),
    }
}
