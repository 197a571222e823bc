//! A folder of one user's where entries come and go: compiled guards, fetched guards. Any entry may be missing at any time;
//! who needs it makes it again.

use std::fs::{self, DirBuilder, File, FileTimes};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// All entries of a folder together, in bytes: the compiled code of some hundred guards.
pub const MOST: u64 = 512 << 20;

/// What nobody used for so long is of a guard, or of a host, that is gone.
const UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// A use is noted once a day: to know the order of use that is enough, and a hit stays a read.
const NOTED: Duration = Duration::from_secs(24 * 60 * 60);

/// A process that was killed while it wrote leaves a part behind, under a name that is no entry's.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
const PART: &str = ".part-";

/// Files that processes lock while they make an entry. Entries share them by name, so that there are never more.
const LOCKS: u64 = 32;
const LOCK: &str = ".lock-";

/// A maker has a deadline of its own; who waits longer than that no longer relies on it.
const PATIENCE: Duration = Duration::from_secs(150);

#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    most: u64,
}

impl Folder {
    /// Makes the folder (mode 0700) if it is not there. `most` bounds its entries, in bytes. Errors: it belongs to somebody else,
    /// others may look into it, or the disk.
    pub fn open(path: &Path, most: u64) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let meta = fs::symlink_metadata(path)?;
        if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
            let what =
                format!("{} is not a directory of this user alone; remove it, or run: chmod 700 {0}", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        Ok(Folder { path: path.to_path_buf(), most })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An entry's file; None when there is none.
    pub fn get(&self, name: &str) -> Option<File> {
        let file = File::open(self.path.join(name)).ok()?;
        let used = file.metadata().and_then(|meta| meta.modified()).ok()?;
        if used.elapsed().is_ok_and(|age| age > NOTED) {
            // Where it cannot be noted, the entry is pruned early.
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

    /// Writes an entry in the place of an older one. Whoever reads meanwhile sees the one or the other, never a part. What is too
    /// much for the folder makes room.
    pub fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(PART).tempfile_in(&self.path)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.persist(self.path.join(name))?;
        self.prune(name)
    }

    /// Runs `work` while no other process makes an entry of this name: of many that miss it at once, one makes it, and the
    /// others find it. A process that dies frees the way; one that hangs is waited for no longer than it may take.
    pub fn alone<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        let shard = blake3::hash(name.as_bytes()).as_bytes()[0] as u64 % LOCKS;
        let lock =
            File::options().create(true).truncate(false).write(true).open(self.path.join(format!("{LOCK}{shard}")));
        let _held = lock.ok().and_then(|lock| {
            let begun = Instant::now();
            while lock.try_lock().is_err() {
                if begun.elapsed() > PATIENCE {
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
            // What another process removed meanwhile is no entry.
            let Ok(meta) = entry.metadata() else { continue };
            let used = meta.modified()?;
            if name.starts_with(PART) && used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
            if !name.starts_with('.') && meta.is_file() {
                entries.push((used, meta.len(), entry.path()));
            }
        }
        entries.sort_by(|a, b| b.cmp(a));
        Ok(entries)
    }

    /// `fresh` stays in any case.
    fn prune(&self, fresh: &str) -> io::Result<()> {
        let mut held = 0;
        for (used, size, path) in self.entries()? {
            held += size;
            let old = used.elapsed().is_ok_and(|age| age > UNUSED);
            if (held > self.most || old) && path.file_name().is_none_or(|name| name != fresh) {
                held -= size;
                // Somebody who has it open keeps it.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}
