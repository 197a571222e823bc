//! Compiled code, kept between runs in one directory for each user, with what its component said of itself.
//!
//! An entry is the code, so that it can be mapped; then the record as JSON, or nothing; the record's length; the tag.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use guardhost_os::read_exact_at;

use crate::load::authenticated::{Authenticated, TAG};
use crate::load::component_record::{CachedComponent, ComponentRecord};
use crate::load::verified::{self, Stamp, Verified};
use guardhost_core::stop::StopToken;

/// Bytes of the record's length.
const LENGTH: usize = 8;

/// Changes with the layout of entries.
const LAYOUT: &str = "code, record";

/// Whether compiled code can be kept in `folder`: opens it as [`Cache::open`] does. Errors: why it cannot.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    Cache::open(folder, "").map(drop)
}

#[derive(Debug)]
pub struct Cache {
    files: Authenticated,
    verified: Mutex<Verified>,
}

/// An entry that is authenticated.
pub struct CachedCode {
    pub code: Arc<File>,
    /// None for a component that could not describe itself.
    pub record: Option<ComponentRecord>,
}

impl Cache {
    /// Makes `folder` and its key if they are missing. Errors: another user owns it, other users may write to it, or the disk fails.
    pub fn open(folder: &Path, fingerprint: &'static str) -> io::Result<Self> {
        let files = Authenticated::open(folder, fingerprint)?;
        let cache = Cache { files, verified: Mutex::default() };
        if let Some(verified) = cache.read_verified() {
            *cache.verified() = verified;
        }
        Ok(cache)
    }

    /// The entry of the component with this digest; None when there is none, or its tag is wrong.
    pub fn get(&self, digest: &str) -> Option<CachedCode> {
        let name = self.name(digest);
        let mut file = self.files.folder.get(&name)?;
        let data = file.metadata().ok()?;
        let stamp = Stamp::from_metadata(&data);
        let known = stamp.as_ref().is_some_and(|stamp| self.verified().has(&name, stamp));
        if !known {
            let mut content = Vec::new();
            file.read_to_end(&mut content).ok()?;
            let (content, tag) = content.split_last_chunk::<TAG>()?;
            // Compared in constant time.
            if self.files.tag(&name, &[content]) != *tag {
                return None;
            }
            if let Some(stamp) = stamp {
                self.remember(&name, stamp);
            }
        }
        let record = record(&file, data.len())?;
        Some(CachedCode { code: Arc::new(file), record: serde_json::from_slice(&record).ok() })
    }

    /// The component with this digest, if it described itself when its code was kept.
    pub fn described(&self, digest: &str) -> Option<CachedComponent> {
        let CachedCode { code, record } = self.get(digest)?;
        Some(CachedComponent { code, record: Arc::new(record.filter(|record| record.digest == digest)?) })
    }

    /// Readers see the old entry or the new one, never a part.
    pub fn put(&self, digest: &str, code: &[u8], record: Option<&ComponentRecord>) -> io::Result<()> {
        let name = self.name(digest);
        let record = record.map(serde_json::to_vec).transpose()?.unwrap_or_default();
        let length = (record.len() as u64).to_le_bytes();
        let tag = self.files.tag(&name, &[code, &record, &length]);
        self.files.folder.put(&name, &[code, &record, &length, tag.as_bytes()])
    }

    /// Adds to an entry what its component said of itself only later. Nothing happens if the entry is not authentic any more.
    pub fn complete(&self, digest: &str, said: &ComponentRecord) -> io::Result<()> {
        let name = self.name(digest);
        let Some(mut file) = self.files.folder.get(&name) else { return Ok(()) };
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        let Some((content, tag)) = content.split_last_chunk::<TAG>() else { return Ok(()) };
        let old = record(&file, (content.len() + TAG) as u64);
        match old.and_then(|old| content.len().checked_sub(LENGTH + old.len())) {
            Some(code) if self.files.tag(&name, &[content]) == *tag => self.put(digest, &content[..code], Some(said)),
            Some(_) | None => Ok(()),
        }
    }

    /// Runs `work` while no other process compiles the same component.
    pub fn exclusively<T>(&self, digest: &str, stop: &StopToken, work: impl FnOnce() -> T) -> T {
        self.files.folder.alone(&self.name(digest), stop, work)
    }

    fn name(&self, digest: &str) -> String {
        self.files.name(&format!("{LAYOUT} {digest}"))
    }

    fn verified(&self) -> MutexGuard<'_, Verified> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_verified(&self) -> Option<Verified> {
        let content = fs::read(self.files.folder.path().join(verified::FILE)).ok()?;
        let (text, tag) = content.split_last_chunk::<TAG>()?;
        let authentic = self.files.tag(verified::FILE, &[text]) == *tag;
        authentic.then(|| Some(Verified::read(std::str::from_utf8(text).ok()?)))?
    }

    /// Of two processes that write at once, one wins; what only the other knew is hashed again.
    fn remember(&self, name: &str, stamp: Stamp) {
        let mut verified = self.verified();
        verified.add(name, stamp);
        if let Some(text) = verified.text(self.files.folder.path()) {
            let tag = self.files.tag(verified::FILE, &[text.as_bytes()]);
            // Without it, the next process hashes the entry again.
            let _ = self.files.folder.put(verified::FILE, &[text.as_bytes(), tag.as_bytes()]);
        }
    }
}

/// The record's bytes in an entry of `length` bytes. None: the lengths do not fit, although the tag does.
fn record(file: &File, length: u64) -> Option<Vec<u8>> {
    let mut bytes = [0; LENGTH];
    let end = length.checked_sub((LENGTH + TAG) as u64)?;
    read_exact_at(file, &mut bytes, end).ok()?;
    let size = u64::from_le_bytes(bytes);
    let start = end.checked_sub(size)?;
    let mut record = vec![0; usize::try_from(size).ok()?];
    read_exact_at(file, &mut record, start).ok()?;
    Some(record)
}
