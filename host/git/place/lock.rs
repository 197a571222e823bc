//! The index, held by git's own lock.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use git2::{Index, IndexEntry, IndexTime};
use tempfile::TempPath;

use super::files::Stamp;
use crate::diff::Difference;
use crate::failed;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// libgit2 locks only while it writes. To hold the lock from the first look on, it is given a copy beside the index,
/// which takes the lock's place at the end, and the index's in one more step.
pub(super) struct IndexLock {
    index: PathBuf,
    lock: Held,
    copy: TempPath,
}

impl IndexLock {
    pub fn take(index: PathBuf) -> Result<Self> {
        let mut lock = index.clone().into_os_string();
        lock.push(".lock");
        let lock = Held::take(lock.into())?;
        let copy = copy(&index).with_context(|| Fault::new(Kind::Git, format!("cannot copy {}", index.display())))?;
        Ok(IndexLock { index, lock, copy })
    }

    pub fn read(&self) -> Result<Index> {
        Index::open(&self.copy).map_err(|cause| {
            let fault = Fault::new(Kind::Git, format!("libgit2 cannot write the index at {}", self.index.display()));
            let words = cause.message().to_string();
            Error::new(cause).context(match &words {
                words if words.contains("sdir") => {
                    fault.hint("it is sparse: git sparse-checkout reapply --no-sparse-index")
                }
                words if words.contains("link") => fault.hint("it is split: git update-index --no-split-index"),
                _ => fault.hint("rewrite it plainly: git update-index --index-version 2"),
            })
        })
    }

    /// Puts `index` in the place of the one that is locked. Until the last step the old one stands.
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

/// A lock file that goes when dropped.
struct Held {
    path: PathBuf,
    /// Once it took the index's place, a file of that name is another's.
    ours: bool,
}

impl Held {
    fn take(path: PathBuf) -> Result<Self> {
        match File::create_new(&path) {
            Ok(_) => Ok(Held { path, ours: true }),
            Err(cause) => {
                let fault = Fault::new(Kind::Git, format!("cannot lock the index with {}", path.display()));
                Err(Error::new(cause)
                    .context(fault.hint("if that file is there and no git process is at work, remove it")))
            }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.ours {
            // If it cannot be removed, git names the file to the user next time.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A repository where nothing was ever staged has no index.
fn copy(index: &Path) -> std::io::Result<TempPath> {
    let dir = index.parent().unwrap_or(Path::new("."));
    let copy = tempfile::Builder::new().prefix("index.guardhost-").tempfile_in(dir)?.into_temp_path();
    match fs::copy(index, &copy) {
        Err(error) if error.kind() == ErrorKind::NotFound => fs::remove_file(&copy)?,
        other => drop(other?),
    }
    Ok(copy)
}

/// Enters what was placed; with the files' stamps, or git would have to read them all again.
pub(super) fn stage(index: &mut Index, touched: &[Difference], placed: &HashMap<RepoPath, Stamp>) -> Result<()> {
    let failed = |path: &RepoPath, cause| failed(format!("cannot stage {path}"), cause);
    for Difference { path, .. } in touched.iter().filter(|difference| difference.after.is_none()) {
        index.remove(&path.to_os(), 0).map_err(|cause| failed(path, cause))?;
    }
    for Difference { path, after, .. } in touched {
        let (Some(after), Some(stamp)) = (after, placed.get(path)) else { continue };
        let time = |(seconds, nanoseconds): (i64, i64)| IndexTime::new(seconds as i32, nanoseconds as u32);
        // The index has 32 bits for each, and git compares no more of them.
        let entry = IndexEntry {
            ctime: time(stamp.ctime),
            mtime: time(stamp.mtime),
            dev: stamp.dev as u32,
            ino: stamp.ino as u32,
            mode: after.mode.raw(),
            uid: stamp.uid,
            gid: stamp.gid,
            file_size: stamp.size as u32,
            id: after.oid,
            flags: 0,
            flags_extended: 0,
            path: path.as_bytes().to_vec(),
        };
        index.add(&entry).map_err(|cause| failed(path, cause))?;
    }
    Ok(())
}
