//! TextAnswers between runs: files of the user's cache, each proven by the user's key to be what this user's host wrote. One that was cut,
//! altered or copied from elsewhere is ignored, and the text is read again.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::{TextReading, TextSubject};
use crate::load::authenticated::Authenticated;
use guardhost_core::cache::BoundedFolder;

/// Bytes of all entries together: those of some ten thousand files.
const MOST: u64 = 64 << 20;

pub struct CachedReadings {
    folder: Option<PathBuf>,
    /// Of the component: another one may answer otherwise.
    digest: String,
    /// Opened when it is first needed. A folder that cannot be used only costs time: `host doctor` says what is wrong with it.
    cache: OnceLock<Option<Authenticated>>,
}

impl CachedReadings {
    pub fn new(folder: Option<PathBuf>, digest: &str) -> Self {
        CachedReadings { folder, digest: digest.to_owned(), cache: OnceLock::new() }
    }

    pub fn get(&self, subject: &TextSubject) -> Option<TextReading> {
        let bytes = self.cache()?.get(&name(subject))?;
        let reading: TextReading = serde_json::from_slice(&bytes).ok()?;
        Some(TextReading { size: bytes.len() as u64, ..reading })
    }

    /// With its size. That it cannot be kept is no error.
    pub fn put(&self, subject: &TextSubject, reading: TextReading) -> TextReading {
        let Ok(bytes) = serde_json::to_vec(&reading) else { return reading };
        if let Some(cache) = self.cache() {
            let _ = cache.put(&name(subject), &bytes);
        }
        TextReading { size: bytes.len() as u64, ..reading }
    }

    fn cache(&self) -> Option<&Authenticated> {
        let open = || {
            let folder = BoundedFolder::open(self.folder.as_deref()?, MOST).ok()?;
            Authenticated::new(folder.for_many(), self.digest.clone()).ok()
        };
        self.cache.get_or_init(open).as_ref()
    }
}

fn name(TextSubject { claimed, wanted, blob, is_test }: &TextSubject) -> String {
    let wanted = [wanted.problems, wanted.outline, wanted.surface, wanted.signatures, wanted.names].map(u8::from);
    // Only outlines and what is said with them depend on it.
    let is_test = u8::from(*is_test && wanted[1] == 1);
    // Either may have blanks in it.
    format!("{blob} {wanted:?} {is_test} {:?} {:?}", claimed.language, claimed.dialect)
}
