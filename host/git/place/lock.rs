//! The index, locked with git's own lock file.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use git2::{Index, IndexEntry, IndexTime};
use tempfile::TempPath;

use super::work_tree::FileStat;
use crate::failed;
use crate::tree_diff::Difference;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// libgit2 locks only while it writes. To hold the lock from the first read on, libgit2 gets a copy beside the index. At the end
/// the copy is renamed to the lock file, and the lock file to the index, as git does.
pub(super) struct IndexLock {
    index: PathBuf,
    lock: LockFile,
    copy: TempPath,
}

impl IndexLock {
    pub fn take(index: PathBuf) -> Result<Self> {
        let mut lock = index.clone().into_os_string();
        lock.push(".lock");
        let lock = LockFile::take(lock.into())?;
        let copy = copy(&index).with_context(|| Fault::new(Kind::Git, format!("cannot copy {}", index.display())))?;
        Ok(IndexLock { index, lock, copy })
    }

    pub fn read(&self) -> Result<Index> {
        Index::open(&self.copy).map_err(|cause| {
            let fault = Fault::new(Kind::Git, format!("libgit2 cannot write the index at {}", self.index.display()));
            let message = cause.message().to_string();
            Error::new(cause).context(match &message {
                message if message.contains("sdir") => {
                    fault.hint("it is sparse: git sparse-checkout reapply --no-sparse-index")
                }
                message if message.contains("link") => fault.hint("it is split: git update-index --no-split-index"),
                _ => fault.hint("rewrite it: git update-index --index-version 2"),
            })
        })
    }

    /// Replaces the locked index by `index`. Until the last step the old one remains.
    pub fn replace(&mut self, index: &mut Index) -> Result<()> {
        index.write().map_err(|cause| failed("cannot write the index", cause))?;
        File::open(&self.copy)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&self.copy, &self.lock.path))
            .and_then(|()| fs::rename(&self.lock.path, &self.index))
            .with_context(|| Fault::new(Kind::Git, format!("cannot replace {}", self.index.display())))?;
        self.lock.ours = false;
        Ok(())
    }
}

/// Removed when it is dropped.
struct LockFile {
    path: PathBuf,
    /// False once it was renamed to the index: then a file of its name belongs to another process.
    ours: bool,
}

impl LockFile {
    fn take(path: PathBuf) -> Result<Self> {
        match File::create_new(&path) {
            Ok(_) => Ok(LockFile { path, ours: true }),
            Err(cause) => {
                let fault = Fault::new(Kind::Git, format!("cannot lock the index with {}", path.display()));
                Err(Error::new(cause)
                    .context(fault.hint("if that file exists and no git process is running, remove it")))
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.ours {
            // If it cannot be removed, the next git command names the file to the user.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Copies the index. A repository in which nothing was ever staged has none; then the copy does not exist either.
fn copy(index: &Path) -> std::io::Result<TempPath> {
    let dir = index.parent().unwrap_or(Path::new("."));
    let copy = tempfile::Builder::new().prefix("index.guardhost-").tempfile_in(dir)?.into_temp_path();
    match fs::copy(index, &copy) {
        Err(error) if error.kind() == ErrorKind::NotFound => fs::remove_file(&copy)?,
        other => drop(other?),
    }
    Ok(copy)
}

/// Adds the placed files to the index. With their metadata, so that git need not read them all again.
pub(super) fn stage(index: &mut Index, touched: &[Difference], placed: &HashMap<RepoPath, FileStat>) -> Result<()> {
    let failed = |path: &RepoPath, cause| failed(format!("cannot stage {path}"), cause);
    for Difference { path, .. } in touched.iter().filter(|difference| difference.after.is_none()) {
        index.remove(&path.to_os(), 0).map_err(|cause| failed(path, cause))?;
    }
    for Difference { path, after, .. } in touched {
        let (Some(after), Some(stat)) = (after, placed.get(path)) else { continue };
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
            flags: 0,
            flags_extended: 0,
            path: path.as_bytes().to_vec(),
        };
        index.add(&entry).map_err(|cause| failed(path, cause))?;
    }
    Ok(())
}
