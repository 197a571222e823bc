//! A cache folder of one user, for compiled and fetched guards. Any entry may be missing at any time; the caller then makes it
//! again.

use std::fs::{self, DirBuilder, File, FileTimes};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use guardhost_os::{Private, is_own, may_be_read_by_others};

use crate::stop::StopToken;

/// The most that all entries of a folder may have together, in bytes: the compiled code of some hundred guards.
pub const MOST: u64 = 512 << 20;

/// An entry that was not used for so long belongs to a guard, or to a version of the host, that is gone.
const MAX_UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The time of use is renewed once a day. That is enough to know which entries are old, and most hits only read.
const USE_RESOLUTION: Duration = Duration::from_secs(24 * 60 * 60);

/// A process that is killed while it writes leaves a temporary file. It is removed at this age.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// Names of entries never begin with it.
const TEMPORARY: &str = ".part-";

/// The number of files that processes lock while they make an entry. Each entry uses one of them, by the hash of its name.
const LOCKS: u64 = 32;
const LOCK: &str = ".lock-";

/// How long a process waits for another that makes the same entry. Longer than making one may take, so the other process hangs.
const LOCK_TIMEOUT: Duration = Duration::from_secs(150);

#[derive(Debug)]
pub struct BoundedFolder {
    path: PathBuf,
    most: u64,
    /// One in so many new entries, by its name, makes room.
    prunes: u8,
}

impl BoundedFolder {
    /// Creates the folder (mode 0700) if it is missing. `most` bounds the size of all entries, in bytes. Errors: it belongs to another
    /// user, other users have access to it, or the disk fails.
    pub fn open(path: &Path, most: u64) -> io::Result<Self> {
        DirBuilder::new().recursive(true).private().create(path)?;
        let meta = fs::symlink_metadata(path)?;
        if !meta.is_dir() || !is_own(&meta) || may_be_read_by_others(&meta) {
            let what =
                format!("{} is not a directory of this user alone; remove it, or run: chmod 700 {0}", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        Ok(BoundedFolder { path: path.to_path_buf(), most, prunes: 1 })
    }

    /// For many small entries: to look at all of them for each new one would take longer than to make it.
    pub fn for_many(self) -> Self {
        BoundedFolder { prunes: 64, ..self }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An entry's file; None when there is none.
    pub fn get(&self, name: &str) -> Option<File> {
        let file = File::open(self.path.join(name)).ok()?;
        let used = file.metadata().and_then(|meta| meta.modified()).ok()?;
        if used.elapsed().is_ok_and(|age| age > USE_RESOLUTION) {
            // On an error the entry is only pruned earlier than it should be.
            let _ = file.set_times(FileTimes::new().set_modified(SystemTime::now()));
        }
        Some(file)
    }

    /// All bytes of an entry.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.get(name)?.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Writes an entry, and replaces an older one. A concurrent reader sees the old entry or the new one, never a part. Entries that
    /// were not used for the longest time are removed when the folder is full.
    pub fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.path)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.persist(self.path.join(name))?;
        let prunes = blake3::hash(name.as_bytes()).as_bytes()[0].is_multiple_of(self.prunes);
        if prunes { self.prune(name) } else { Ok(()) }
    }

    /// Runs `work` while no other process makes an entry of this name: of many that miss it at once, one makes it, and the
    /// others find it. The lock of a process that dies is released; after a timeout `work` runs without the lock.
    pub fn alone<T>(&self, name: &str, stop: &StopToken, work: impl FnOnce() -> T) -> T {
        let shard = blake3::hash(name.as_bytes()).as_bytes()[0] as u64 % LOCKS;
        let lock =
            File::options().create(true).truncate(false).write(true).open(self.path.join(format!("{LOCK}{shard}")));
        let _held = lock.ok().and_then(|lock| {
            let started = Instant::now();
            while lock.try_lock().is_err() {
                if started.elapsed() > LOCK_TIMEOUT || stop.check().is_err() {
                    return None;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Some(lock)
        });
        work()
    }

    /// Entries by the time of their last use, newest first, with their sizes.
    fn entries(&self) -> io::Result<Vec<(SystemTime, u64, PathBuf)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Another process has removed it.
            let Ok(meta) = entry.metadata() else { continue };
            let used = meta.modified()?;
            if name.starts_with(TEMPORARY) && used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
            if !name.starts_with('.') && meta.is_file() {
                entries.push((used, meta.len(), entry.path()));
            }
        }
        entries.sort_by(|a, b| b.cmp(a));
        Ok(entries)
    }

    /// Removes old entries until the rest fits. `newest`, which was just written, is never removed.
    fn prune(&self, newest: &str) -> io::Result<()> {
        let mut total = 0;
        for (used, size, path) in self.entries()? {
            total += size;
            let old = used.elapsed().is_ok_and(|age| age > MAX_UNUSED);
            if (total > self.most || old) && path.file_name().is_none_or(|name| name != newest) {
                total -= size;
                // A process that has it open can still read it.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}
