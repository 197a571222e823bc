//! Compiled code, kept between runs in one directory for each user, with what its component said of itself. Loading code means running it,
//! so an entry counts only if its tag, made with the user's key, proves that this user's host wrote it byte for byte. An entry that was
//! cut, altered or copied from elsewhere is ignored, and the guard is compiled again.
//!
//! An entry is the code, so that it can be mapped; then the record as JSON, or nothing; the record's length; the tag.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use crate::load::kept::{ComponentRecord, KeptComponent};
use crate::load::verified::{self, Stamp, Verified};
use guardhost_core::cache::{Folder, MOST};
use guardhost_core::stop::StopToken;

/// Bytes of a tag: a keyed BLAKE3 of a file's name and content.
const TAG: usize = blake3::OUT_LEN;

/// Bytes of the record's length.
const LENGTH: usize = 8;

/// Changes with the layout of entries.
const LAYOUT: &str = "code, record";

/// Files that begin with a dot are never pruned.
const KEY: &str = ".key";

/// Whether compiled code can be kept in `folder`: opens it as [`Cache::open`] does. Errors: why it cannot.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    Cache::open(folder, "").map(drop)
}

#[derive(Debug)]
pub struct Cache {
    folder: Folder,
    key: [u8; blake3::KEY_LEN],
    /// Of the compiler and its settings.
    fingerprint: &'static str,
    verified: Mutex<Verified>,
}

/// An entry that is authenticated.
pub struct Entry {
    pub code: Arc<File>,
    /// None for a component that could not describe itself.
    pub record: Option<ComponentRecord>,
}

impl Cache {
    /// Makes `folder` and its key if they are missing. Errors: another user owns it, other users may write to it, or the disk fails.
    pub fn open(folder: &Path, fingerprint: &'static str) -> io::Result<Self> {
        let folder = Folder::open(folder, MOST)?;
        let key = key(folder.path())?;
        let cache = Cache { folder, key, fingerprint, verified: Mutex::default() };
        if let Some(verified) = cache.read_verified() {
            *cache.verified() = verified;
        }
        Ok(cache)
    }

    /// The entry of the component with this digest; None when there is none, or its tag is wrong.
    pub fn get(&self, digest: &str) -> Option<Entry> {
        let name = self.name(digest);
        let mut file = self.folder.get(&name)?;
        let data = file.metadata().ok()?;
        let stamp = Stamp::of(&data);
        let known = stamp.as_ref().is_some_and(|stamp| self.verified().has(&name, stamp));
        if !known {
            let mut content = Vec::new();
            file.read_to_end(&mut content).ok()?;
            let (content, tag) = content.split_last_chunk::<TAG>()?;
            // Compared in constant time.
            if self.tag(&name, &[content]) != *tag {
                return None;
            }
            if let Some(stamp) = stamp {
                self.remember(&name, stamp);
            }
        }
        let record = record(&file, data.len())?;
        Some(Entry { code: Arc::new(file), record: serde_json::from_slice(&record).ok() })
    }

    /// The component with this digest, if it described itself when its code was kept.
    pub fn kept(&self, digest: &str) -> Option<KeptComponent> {
        let Entry { code, record } = self.get(digest)?;
        Some(KeptComponent { code, record: Arc::new(record.filter(|record| record.digest == digest)?) })
    }

    /// Readers see the old entry or the new one, never a part.
    pub fn put(&self, digest: &str, code: &[u8], record: Option<&ComponentRecord>) -> io::Result<()> {
        let name = self.name(digest);
        let record = record.map(serde_json::to_vec).transpose()?.unwrap_or_default();
        let length = (record.len() as u64).to_le_bytes();
        let tag = self.tag(&name, &[code, &record, &length]);
        self.folder.put(&name, &[code, &record, &length, tag.as_bytes()])
    }

    /// Runs `work` while no other process compiles the same component.
    pub fn exclusively<T>(&self, digest: &str, stop: &StopToken, work: impl FnOnce() -> T) -> T {
        self.folder.alone(&self.name(digest), stop, work)
    }

    /// Contains everything that decides the code: the component, the compiler and its settings, and the host's version.
    fn name(&self, digest: &str) -> String {
        let hash = Sha256::new()
            .chain_update(digest)
            .chain_update(self.fingerprint)
            .chain_update(env!("CARGO_PKG_VERSION"))
            .chain_update(LAYOUT)
            .finalize();
        crate::text::escape::hex(&hash)
    }

    fn tag(&self, name: &str, parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(name.as_bytes());
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize()
    }

    fn verified(&self) -> MutexGuard<'_, Verified> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_verified(&self) -> Option<Verified> {
        let content = fs::read(self.folder.path().join(verified::FILE)).ok()?;
        let (text, tag) = content.split_last_chunk::<TAG>()?;
        let authentic = self.tag(verified::FILE, &[text]) == *tag;
        authentic.then(|| Some(Verified::read(std::str::from_utf8(text).ok()?)))?
    }

    /// Of two processes that write at once, one wins; what only the other knew is hashed again.
    fn remember(&self, name: &str, stamp: Stamp) {
        let mut verified = self.verified();
        verified.add(name, stamp);
        if let Some(text) = verified.text(self.folder.path()) {
            let tag = self.tag(verified::FILE, &[text.as_bytes()]);
            // Without it, the next process hashes the entry again.
            let _ = self.folder.put(verified::FILE, &[text.as_bytes(), tag.as_bytes()]);
        }
    }
}

/// The record's bytes in an entry of `length` bytes. None: the lengths do not fit, although the tag does.
fn record(file: &File, length: u64) -> Option<Vec<u8>> {
    let mut bytes = [0; LENGTH];
    let end = length.checked_sub((LENGTH + TAG) as u64)?;
    file.read_exact_at(&mut bytes, end).ok()?;
    let size = u64::from_le_bytes(bytes);
    let start = end.checked_sub(size)?;
    let mut record = vec![0; usize::try_from(size).ok()?];
    file.read_exact_at(&mut record, start).ok()?;
    Some(record)
}

/// Reads the key, and makes it first if it is missing or was cut. Of two processes that make it at once, one wins and both read
/// its key. Entries of a lost key are ignored.
fn key(folder: &Path) -> io::Result<[u8; blake3::KEY_LEN]> {
    let path = folder.join(KEY);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_key(folder, &path)?,
        Err(error) => return Err(in_file(&path, &error)),
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => {
            let what = format!("{} can be read by others; remove it", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        // A key is written whole, so that no other process is at work here: a full disk or a crash has cut the file.
        Ok(meta) if meta.is_file() && meta.len() != blake3::KEY_LEN as u64 => {
            fs::remove_file(&path).map_err(|error| in_file(&path, &error))?;
            make_key(folder, &path)?;
        }
        Ok(_) => {}
    }
    let mut key = [0; blake3::KEY_LEN];
    File::open(&path).and_then(|mut file| file.read_exact(&mut key)).map_err(|error| in_file(&path, &error))?;
    Ok(key)
}

fn make_key(folder: &Path, path: &Path) -> io::Result<()> {
    let mut fresh = [0; blake3::KEY_LEN];
    File::open("/dev/urandom")?.read_exact(&mut fresh)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, &fresh)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}

/// The system's message does not name the file.
fn in_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}; remove it, and the host makes it anew", path.display()))
}
