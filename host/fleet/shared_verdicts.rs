//! Kept verdicts of guards that machines share: whoever keeps one signs it, and only what a known key signed is taken. What decides such a
//! verdict, and when it is taken, is the business of the engine: this is transport and trust.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;

use crate::alarm::{Alarm, AlarmKind};
use crate::hex;
use crate::job::JobId;
use crate::keys::{KnownKeys, PublicKey, WorkerKey};
use crate::queue::Queue;

const PURPOSE: &str = "verdicts 1";
/// For one question: a cache that is slower than a judgement is none.
const ANSWER: Duration = Duration::from_millis(250);
/// Bytes of an entry.
const MOST: usize = 512 << 10;

pub struct SharedVerdicts {
    pub queue: Arc<dyn Queue>,
    pub key: Arc<WorkerKey>,
    pub known: KnownKeys,
    /// Of the threads that wait for the queue; the engine's own are none of them.
    pub runtime: Handle,
}

/// An entry that a known worker wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEntry {
    pub bytes: Vec<u8>,
    /// `NAME (KEY)`; None: this worker itself.
    pub author: Option<String>,
    /// With its seal, as it travels: another worker can pass it on.
    pub sealed: Vec<u8>,
}

/// The line before the bytes of an entry.
#[derive(Serialize, Deserialize)]
struct Seal {
    worker: String,
    key: PublicKey,
    signature: String,
    bytes: usize,
}

impl SharedVerdicts {
    /// What known workers kept under this name. Must not be called from a task of the runtime.
    pub fn get(&self, name: &str) -> Vec<SharedEntry> {
        let name = hex::sha256(name.as_bytes());
        let asked = async { tokio::time::timeout(ANSWER, self.queue.verdicts(&name)).await };
        match self.runtime.block_on(asked) {
            Ok(Ok(Some(bytes))) => self.read(&name, &bytes),
            Ok(Ok(None) | Err(_)) | Err(_) => Vec::new(),
        }
    }

    /// Entries that nobody known signed are not there.
    fn read(&self, name: &str, mut rest: &[u8]) -> Vec<SharedEntry> {
        let mut entries = Vec::new();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let Ok(Seal { worker, key, signature, bytes }) = serde_json::from_slice(&rest[..end]) else { break };
            let Some(all) = end.checked_add(1).and_then(|start| rest.get(..start.checked_add(bytes)?)) else { break };
            let text = &all[end + 1..];
            if self.known.signer(PURPOSE, &[name.as_bytes(), worker.as_bytes(), text], &key, &signature).is_some() {
                let author = (key != self.key.public()).then(|| format!("{worker} ({key})"));
                entries.push(SharedEntry { bytes: text.to_vec(), author, sealed: all.to_vec() });
            }
            rest = &rest[all.len()..];
        }
        entries
    }

    fn seal(&self, name: &str, text: &[u8]) -> Vec<u8> {
        let (worker, key) = (self.key.name().to_owned(), self.key.public());
        let signature = self.key.sign(PURPOSE, &[name.as_bytes(), worker.as_bytes(), text]);
        let seal = Seal { worker, key, signature, bytes: text.len() };
        let mut sealed = serde_json::to_vec(&seal).unwrap_or_default();
        sealed.push(b'\n');
        sealed.extend(text);
        sealed
    }

    /// Signs new entries, and passes on others as they are. Does not wait: what is not kept is judged again.
    pub fn put(&self, name: &str, new: &[Vec<u8>], kept: &[&[u8]]) {
        let (name, queue) = (hex::sha256(name.as_bytes()), Arc::clone(&self.queue));
        let mut entry = Vec::new();
        let sealed = new.iter().map(|text| Cow::Owned(self.seal(&name, text)));
        for sealed in sealed.chain(kept.iter().map(|sealed| Cow::Borrowed(*sealed))) {
            if entry.len() + sealed.len() <= MOST {
                entry.extend_from_slice(&sealed);
            }
        }
        self.runtime.spawn(async move {
            if let Err(error) = queue.put_verdicts(&name, &entry).await {
                tracing::debug!("a verdict was not shared: {error}");
            }
        });
    }

    /// Raises the alarm that a kept verdict of another worker is not what the guard says. `what` names the guard and the change.
    pub fn differs(&self, author: &str, what: &str) {
        let Ok(job) = JobId::try_from(hex::sha256(what.as_bytes())) else { return };
        let own = format!("{} ({})", self.key.name(), self.key.public());
        let alarm = Alarm::new(AlarmKind::WrongVerdict, &job, &[author.to_owned(), own], what);
        tracing::error!("{alarm}");
        let queue = Arc::clone(&self.queue);
        self.runtime.spawn(async move { queue.raise(&alarm).await });
    }
}

impl std::fmt::Debug for SharedVerdicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SharedVerdicts({:?})", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::memory::Memory;
    use crate::settings::Settings;

    fn shared(queue: &Arc<Memory>, name: &str, known: &KnownKeys) -> SharedVerdicts {
        let key = Arc::new(WorkerKey::from_seed(name, &[name.len() as u8; 32]).unwrap());
        SharedVerdicts { queue: queue.clone(), known: known.clone().with(&key), key, runtime: Handle::current() }
    }

    #[tokio::test]
    async fn entries_are_read_as_they_were_and_only_of_known_workers() {
        let queue = Arc::new(Memory::new(Settings::default()));
        let one = shared(&queue, "one", &KnownKeys::default());
        let known = KnownKeys::default().with(&one.key);
        let (second, stranger) = (shared(&queue, "second", &known), shared(&queue, "a-stranger", &known));
        let name = hex::sha256(b"name");
        let mut bytes = one.seal(&name, b"first\n{}\n");
        bytes.extend(stranger.seal(&name, b"of a stranger\n{}\n"));
        bytes.extend(second.seal(&name, b"second\n{}\n"));
        let found = second.read(&name, &bytes);
        let texts: Vec<&[u8]> = found.iter().map(|entry| entry.bytes.as_slice()).collect();
        assert_eq!(texts, [b"first\n{}\n".as_slice(), b"second\n{}\n"]);
        assert_eq!((found[0].author.is_some(), found[1].author.is_some()), (true, false));
        assert_eq!(second.read(&hex::sha256(b"another"), &bytes), [], "an entry of another name");
        // Cut anywhere, or with any byte changed, it gives no entry that was not there.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let all = second.read(&name, &bytes[..at]).into_iter().chain(second.read(&name, &changed));
            assert!(all.into_iter().all(|entry| texts.contains(&entry.bytes.as_slice())), "{at}");
        }
    }
}
