//! Answers between runs: files of the user's cache, each proven by the user's key to be what this user's host wrote. One that was cut,
//! altered or copied from elsewhere is ignored, and the text is read again.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::{Question, Reading, Subject};
use crate::load::authenticated::Authenticated;
use guardhost_core::cache::BoundedFolder;

/// Bytes of all entries together: those of some ten thousand modules.
const MOST: u64 = 64 << 20;

pub struct Kept {
    folder: Option<PathBuf>,
    /// Of the indexer: another one may answer otherwise.
    digest: &'static str,
    /// Opened when it is first needed. A folder that cannot be used only costs time: `host doctor` says what is wrong with it.
    cache: OnceLock<Option<Authenticated>>,
}

impl Kept {
    pub fn new(folder: Option<PathBuf>, digest: &'static str) -> Self {
        Kept { folder, digest, cache: OnceLock::new() }
    }

    pub fn get(&self, subject: &Subject) -> Option<Reading> {
        let bytes = self.cache()?.get(&name(subject))?;
        let reading: Reading = serde_json::from_slice(&bytes).ok()?;
        Some(Reading { size: bytes.len() as u64, ..reading })
    }

    /// With its size. That it cannot be kept is no error.
    pub fn put(&self, subject: &Subject, reading: Reading) -> Reading {
        let Ok(bytes) = serde_json::to_vec(&reading) else { return reading };
        if let Some(cache) = self.cache() {
            let _ = cache.put(&name(subject), &bytes);
        }
        Reading { size: bytes.len() as u64, ..reading }
    }

    fn cache(&self) -> Option<&Authenticated> {
        let open = || {
            let folder = BoundedFolder::open(self.folder.as_deref()?, MOST).ok()?;
            Authenticated::of(folder.of_many(), self.digest).ok()
        };
        self.cache.get_or_init(open).as_ref()
    }
}

fn name(Subject { question, blob, dialect }: &Subject) -> String {
    let question = match question {
        Question::Surface => "surface",
        Question::Signatures => "signatures",
    };
    format!("{question} {blob} {dialect}")
}
