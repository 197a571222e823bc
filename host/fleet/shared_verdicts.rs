//! Kept verdicts of guards that machines share: whoever keeps one signs it, and only what a known key signed is taken. What decides such a
//! verdict, and when it is taken, is the business of the engine: this is transport and trust.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use crate::alarm::{Alarm, AlarmKind};
use crate::hex;
use crate::job::JobId;
use crate::keys::{KnownKeys, PublicKey, WorkerKey};
use crate::queue::Queue;

const PURPOSE: &str = "verdicts 2";
/// For one question: a cache that is slower than a judgement is none.
const ANSWER: Duration = Duration::from_millis(250);
/// Bytes of an entry.
const MOST: usize = 512 << 10;
/// Bytes that a seal takes for each of its entries, at the most.
const OVERHEAD: usize = 512;
/// Signatures that are remembered: 2 MiB of them.
const REMEMBERED: usize = 16_384;

pub struct SignedVerdicts {
    pub queue: Arc<dyn Queue>,
    pub key: Arc<WorkerKey>,
    pub known: KnownKeys,
    /// Of the threads that wait for the queue; the engine's own are none of them.
    pub runtime: Handle,
    pub verified: VerifiedSignatures,
}

/// An entry that a known worker wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetEntry {
    pub bytes: Vec<u8>,
    /// `NAME (KEY)`; None: this worker itself.
    pub author: Option<String>,
    /// With its seal, as it travels: another worker can pass it on.
    pub sealed: Vec<u8>,
}

/// The line before the bytes of entries: one signature for all that a worker kept at once, also where only some of them travel.
#[derive(Clone, Serialize, Deserialize)]
struct EntrySeal {
    worker: String,
    key: PublicKey,
    signature: String,
    /// SHA-256 of each entry that was kept at once.
    digests: Vec<String>,
    /// Those that follow: the number in `digests`, and the bytes.
    parts: Vec<(usize, usize)>,
}

/// Signatures that were found right: to check one takes longer than to read what it is of.
#[derive(Debug, Default)]
pub struct VerifiedSignatures(Mutex<HashSet<[u8; 32]>>);

impl VerifiedSignatures {
    /// Whether a known key signed this, which is checked once.
    fn holds(&self, known: &KnownKeys, name: &str, seal: &EntrySeal) -> bool {
        let EntrySeal { worker, key, signature, digests, .. } = seal;
        let digests = digests.concat();
        let parts = [name.as_bytes(), worker.as_bytes(), digests.as_bytes()];
        let mut hasher = Sha256::new();
        for part in parts.iter().copied().chain([key.to_string().as_bytes(), signature.as_bytes()]) {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let id: [u8; 32] = hasher.finalize().into();
        if self.held().contains(&id) {
            return true;
        }
        let is_right = known.signer(PURPOSE, &parts, key, signature).is_some();
        if is_right {
            let mut held = self.held();
            if held.len() >= REMEMBERED {
                held.clear();
            }
            held.insert(id);
        }
        is_right
    }

    fn held(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SignedVerdicts {
    /// What known workers kept under this name. Must not be called from a task of the runtime.
    pub fn get(&self, name: &str) -> Vec<FleetEntry> {
        let name = hex::sha256(name.as_bytes());
        let asked = async { tokio::time::timeout(ANSWER, self.queue.verdicts(&name)).await };
        match self.runtime.block_on(asked) {
            Ok(Ok(Some(bytes))) => self.read(&name, &bytes),
            Ok(Ok(None) | Err(_)) | Err(_) => Vec::new(),
        }
    }

    /// Entries that nobody known signed are not there.
    fn read(&self, name: &str, mut rest: &[u8]) -> Vec<FleetEntry> {
        let mut entries = Vec::new();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let Ok(seal) = serde_json::from_slice::<EntrySeal>(&rest[..end]) else { break };
            rest = &rest[end + 1..];
            let is_right = self.verified.holds(&self.known, name, &seal);
            for (number, bytes) in &seal.parts {
                let Some((text, after)) = rest.split_at_checked(*bytes) else { return entries };
                rest = after;
                let digest = seal.digests.get(*number);
                if is_right && digest.is_some_and(|digest| *digest == hex::sha256(text)) {
                    let author = (seal.key != self.key.public()).then(|| format!("{} ({})", seal.worker, seal.key));
                    let alone = EntrySeal { parts: vec![(*number, *bytes)], ..seal.clone() };
                    entries.push(FleetEntry { bytes: text.to_vec(), author, sealed: written(&alone, &[text]) });
                }
            }
        }
        entries
    }

    /// New entries under one signature, as they travel.
    fn seal(&self, name: &str, texts: &[&[u8]]) -> Vec<u8> {
        let (worker, key) = (self.key.name().to_owned(), self.key.public());
        let digests: Vec<String> = texts.iter().map(|text| hex::sha256(text)).collect();
        let signed = digests.concat();
        let signature = self.key.sign(PURPOSE, &[name.as_bytes(), worker.as_bytes(), signed.as_bytes()]);
        let parts = texts.iter().map(|text| text.len()).enumerate().collect();
        written(&EntrySeal { worker, key, signature, digests, parts }, texts)
    }

    /// Signs new entries, and passes on others as they are. Does not wait: what is not kept is judged again.
    pub fn put(&self, name: &str, new: &[Vec<u8>], kept: &[&[u8]]) {
        let (name, queue) = (hex::sha256(name.as_bytes()), Arc::clone(&self.queue));
        let mut room = MOST;
        let mut fits = |bytes: usize| {
            let fits = bytes <= room;
            room -= if fits { bytes } else { 0 };
            fits
        };
        let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).filter(|text| fits(text.len() + OVERHEAD)).collect();
        let mut entry = if new.is_empty() { Vec::new() } else { self.seal(&name, &new) };
        for sealed in kept.iter().filter(|sealed| fits(sealed.len())) {
            entry.extend_from_slice(sealed);
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

/// A seal, and the entries that it names.
fn written(seal: &EntrySeal, texts: &[&[u8]]) -> Vec<u8> {
    let mut sealed = serde_json::to_vec(seal).unwrap_or_default();
    sealed.push(b'\n');
    texts.iter().for_each(|text| sealed.extend_from_slice(text));
    sealed
}

impl std::fmt::Debug for SignedVerdicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SignedVerdicts({:?})", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::memory::MemoryQueue;
    use crate::settings::FleetSettings;

    fn shared(queue: &Arc<MemoryQueue>, name: &str, known: &KnownKeys) -> SignedVerdicts {
        let key = Arc::new(WorkerKey::from_seed(name, &[name.len() as u8; 32]).unwrap());
        SignedVerdicts {
            queue: queue.clone(),
            known: known.clone().with(&key),
            key,
            runtime: Handle::current(),
            verified: VerifiedSignatures::default(),
        }
    }

    #[tokio::test]
    async fn entries_are_read_as_they_were_and_only_of_known_workers() {
        let queue = Arc::new(MemoryQueue::new(FleetSettings::default()));
        let one = shared(&queue, "one", &KnownKeys::default());
        let known = KnownKeys::default().with(&one.key);
        let (second, stranger) = (shared(&queue, "second", &known), shared(&queue, "a-stranger", &known));
        let name = hex::sha256(b"name");
        let mut bytes = one.seal(&name, &[b"first\n{}\n", b"and another\n{}\n"]);
        bytes.extend(stranger.seal(&name, &[b"of a stranger\n{}\n"]));
        bytes.extend(second.seal(&name, &[b"second\n{}\n"]));
        let found = second.read(&name, &bytes);
        let texts: Vec<&[u8]> = found.iter().map(|entry| entry.bytes.as_slice()).collect();
        assert_eq!(texts, [b"first\n{}\n".as_slice(), b"and another\n{}\n", b"second\n{}\n"]);
        let authors: Vec<bool> = found.iter().map(|entry| entry.author.is_some()).collect();
        assert_eq!(authors, [true, true, false]);
        assert_eq!(second.read(&hex::sha256(b"another"), &bytes), [], "an entry of another name");
        // Each travels alone, too, and out of its order.
        let passed_on = [found[1].sealed.as_slice(), &found[0].sealed].concat();
        let again = second.read(&name, &passed_on);
        assert_eq!(again, [found[1].clone(), found[0].clone()]);
        // Under the seal of another entry it is none.
        let line = found[0].sealed.iter().position(|byte| *byte == b'\n').unwrap();
        let swapped = [&found[0].sealed[..=line], b"wrong\n{}\n"].concat();
        assert_eq!(second.read(&name, &swapped), []);
        // Cut anywhere, or with any byte changed, it gives no entry that was not there, whoever remembers which signatures.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let all = second.read(&name, &bytes[..at]).into_iter().chain(second.read(&name, &changed));
            assert!(all.into_iter().all(|entry| texts.contains(&entry.bytes.as_slice())), "{at}");
        }
    }
}
