//! The index: a copy to work on, git's own lock, and the entries of changed files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use git2::{Index, IndexEntry, IndexTime};
use guardhost_os::{Stat, sync};

use super::work_tree::FileStat;
use crate::failed;
use crate::tree_diff::Difference;
use guardhost_core::change::{DiskStep, Observer, RepoPath};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

/// Extended flag of an index entry: the file is left out of a sparse work tree.
pub(super) const SKIP_WORKTREE: u16 = 1 << 14;

/// Extended flag of an index entry: only the path was added, not the content.
pub(super) const INTENT_TO_ADD: u16 = 1 << 13;

/// Flag of an index entry: git does not look at the file (`git update-index --assume-unchanged`).
const ASSUME_UNCHANGED: u16 = 1 << 15;

/// How long a git process that has locked the index is waited for. `git status` of an editor takes that lock too.
const PATIENCE: Duration = Duration::from_secs(1);

/// libgit2 writes an index only where it read it, under a lock that lasts as long as the write. So it gets a copy, and this
/// program locks, writes and replaces the index in the way of git.
pub(super) struct IndexCopy {
    original: PathBuf,
    copy: PathBuf,
    stamp: Option<IndexStamp>,
    pub index: Index,
}

/// What tells one version of the index file from the next: git replaces it by a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IndexStamp {
    dev: u64,
    ino: u64,
    size: u64,
    /// Seconds and nanoseconds.
    mtime: (i64, i64),
}

impl IndexCopy {
    /// Copies the index into `folder`. A repository in which nothing was ever staged has none; then it is empty.
    pub fn read(original: PathBuf, folder: &Path) -> Result<Self> {
        let copy = folder.join("index");
        let (stamp, index) = read(&original, &copy)?;
        Ok(IndexCopy { original, copy, stamp, index })
    }

    /// Reads it again if it was changed. Returns whether it was.
    pub fn refresh(&mut self) -> Result<bool> {
        if stamp(&self.original).with_context(|| cannot_copy(&self.original))? == self.stamp {
            return Ok(false);
        }
        (self.stamp, self.index) = read(&self.original, &self.copy)?;
        Ok(true)
    }

    pub fn original(&self) -> &Path {
        &self.original
    }

    /// When the index was written.
    pub fn mtime(&self) -> Option<(i64, i64)> {
        self.stamp.map(|stamp| stamp.mtime)
    }

    /// Writes and syncs the copy. The index itself is unchanged.
    pub fn write(&mut self, observer: &dyn Observer) -> Result<()> {
        self.index.write().map_err(|cause| failed("cannot write the index", cause))?;
        let synced = sync(&self.copy);
        observer.disk(&DiskStep::Synced(&self.copy));
        synced.with_context(|| Fault::new(FaultKind::Git, "cannot write the index"))
    }

    /// Replaces the index, in one step.
    pub fn publish(&self, lock: &mut IndexLock) -> Result<()> {
        let published = match fs::rename(&self.copy, &self.original) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => lock.replace_by(&self.copy, &self.original),
            other => other,
        };
        published.with_context(|| Fault::new(FaultKind::Git, format!("cannot replace {}", self.original.display())))
    }
}

fn read(original: &Path, copy: &Path) -> Result<(Option<IndexStamp>, Index)> {
    let stamp = || -> io::Result<_> {
        let stamp = stamp(original)?;
        match stamp {
            Some(_) => drop(fs::copy(original, copy)?),
            None => drop(fs::remove_file(copy)),
        }
        Ok(stamp)
    };
    let stamp = stamp().with_context(|| cannot_copy(original))?;
    let index = Index::open(copy).map_err(|cause| {
        let fault = Fault::new(FaultKind::Git, format!("libgit2 cannot write the index at {}", original.display()));
        let message = cause.message().to_string();
        crate::without_class(&cause).context(match &message {
            message if message.contains("sdir") => {
                fault.hint("it is sparse: git sparse-checkout reapply --no-sparse-index")
            }
            message if message.contains("link") => fault.hint("it is split: git update-index --no-split-index"),
            _ => fault.hint("rewrite it: git update-index --index-version 2"),
        })
    })?;
    Ok((stamp, index))
}

fn cannot_copy(original: &Path) -> Fault {
    Fault::new(FaultKind::Git, format!("cannot copy {}", original.display()))
}

fn stamp(path: &Path) -> io::Result<Option<IndexStamp>> {
    match fs::metadata(path) {
        Ok(data) => Ok(Some(IndexStamp {
            dev: data.dev(),
            ino: data.ino(),
            size: data.size(),
            mtime: (data.mtime(), data.mtime_nsec()),
        })),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Git's lock on an index (`index.lock`), removed when it is dropped. It holds the token of the change for which it was taken, so
/// that it can be told from the lock of any other program, also after a kill.
pub(super) struct IndexLock {
    path: PathBuf,
    ours: bool,
}

impl IndexLock {
    /// `token` is a file with the token, already on disk. It is linked, so that no lock of ours ever lacks it.
    pub fn take(index: &Path, token: &Path) -> Result<Self> {
        let path = lock_path(index);
        let begun = Instant::now();
        loop {
            match link(token, &path) {
                Ok(()) => return Ok(IndexLock { path, ours: true }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(cause) => {
                    let fault = Fault::new(FaultKind::Git, format!("cannot lock the index with {}", path.display()));
                    return Err(Error::new(cause)
                        .context(fault.hint("if that file exists and no git process is running, remove it")));
                }
            }
        }
    }

    /// The lock that a killed process took with this token; None if there is none, or another program's.
    pub fn left_behind(index: &Path, token: &str) -> Option<Self> {
        let path = lock_path(index);
        let ours = fs::read(&path).is_ok_and(|bytes| bytes == token.as_bytes());
        ours.then_some(IndexLock { path, ours })
    }

    /// Leaves the lock to the next host.
    pub fn leave(&mut self) {
        self.ours = false;
    }

    /// For an index on another file system: the lock file becomes the index, as git does it.
    fn replace_by(&mut self, copy: &Path, index: &Path) -> io::Result<()> {
        let mut lock = File::options().write(true).truncate(true).open(&self.path)?;
        lock.write_all(&fs::read(copy)?)?;
        lock.sync_all()?;
        fs::rename(&self.path, index)?;
        self.ours = false;
        Ok(())
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.ours {
            // If it cannot be removed, the next git command names the file to the user.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn lock_path(index: &Path) -> PathBuf {
    let mut lock = index.to_path_buf().into_os_string();
    lock.push(".lock");
    lock.into()
}

fn link(token: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(token, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Another file system, or one without hard links. A kill between the next two lines leaves a lock without the token.
        Err(_) => File::create_new(path)?.write_all(&fs::read(token)?),
        Ok(()) => Ok(()),
    }
}

/// Adds the placed files to the index. With their metadata, so that git need not read them all again. What the user told git of a
/// file stays.
pub(super) fn stage(
    index: &mut Index,
    touched: &[Difference],
    placed: &HashMap<RepoPath, CheckedOutFile>,
) -> Result<()> {
    let failed = |path: &RepoPath, cause| failed(format!("cannot stage {path}"), cause);
    for Difference { path, .. } in touched.iter().filter(|difference| difference.after.is_none()) {
        index.remove(&path.to_os(), 0).map_err(|cause| failed(path, cause))?;
    }
    for Difference { path, after, .. } in touched {
        let (Some(after), Some(CheckedOutFile { stat, was_there })) = (after, placed.get(path)) else { continue };
        let before = index.get_path(&path.to_os(), 0);
        let flags = before.as_ref().map_or(0, |entry| entry.flags & ASSUME_UNCHANGED);
        // A file that a sparse work tree lacked is there now.
        let extended = before.filter(|_| *was_there).map_or(0, |entry| entry.flags_extended & SKIP_WORKTREE);
        let time = |(seconds, nanoseconds): (i64, i64)| IndexTime::new(seconds as i32, nanoseconds as u32);
        // The index has 32 bits for each of these, and git compares only those.
        let entry = IndexEntry {
            ctime: time(stat.ctime),
            mtime: time(stat.mtime),
            dev: stat.dev as u32,
            ino: stat.ino as u32,
            mode: after.mode.raw(),
            uid: stat.uid,
            gid: stat.gid,
            file_size: stat.size as u32,
            id: after.oid,
            flags,
            flags_extended: extended,
            path: path.as_bytes().to_vec(),
        };
        index.add(&entry).map_err(|cause| failed(path, cause))?;
    }
    Ok(())
}

/// A file that was written.
pub(super) struct CheckedOutFile {
    pub stat: FileStat,
    /// Whether a file was replaced.
    pub was_there: bool,
}

/// Whether the entry's metadata is the file's, by which git decides that a file is unchanged without reading it. `index_mtime`:
/// a file that is not older than the index may have been changed after it was staged, within one tick of the clock.
pub(super) fn is_fresh(entry: &IndexEntry, stat: &FileStat, index_mtime: (i64, i64)) -> bool {
    let mtime = (entry.mtime.seconds(), entry.mtime.nanoseconds());
    stat.mtime < index_mtime
        && mtime == (stat.mtime.0 as i32, stat.mtime.1 as u32)
        && entry.file_size == stat.size as u32
        && entry.ino == stat.ino as u32
}
