//! The server's folder: one server at a time.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_os::Private;

const LOCK: &str = "server.lock";

/// A folder that belongs to this process until it ends, however it ends.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    lock: File,
}

impl DataFolder {
    /// Makes the folder, for this user alone, if it does not exist.
    ///
    /// # Errors
    /// Another server has it; which process, and its address.
    pub fn lock(path: &Path) -> Result<Self> {
        let cannot = || {
            Fault::new(FaultKind::Git, format!("cannot use the data folder {}", path.display()))
                .hint("check its permissions, or name another one with --data")
        };
        DirBuilder::new().recursive(true).private().create(path).with_context(cannot)?;
        let file = path.join(LOCK);
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .private()
            .open(file)
            .with_context(cannot)?;
        if lock.try_lock().is_err() {
            let mut holder = String::new();
            // What cannot be read is not said.
            let _ = lock.read_to_string(&mut holder);
            let what = format!("another server uses {}: {}", path.display(), holder.trim());
            return Err(Fault::new(FaultKind::Git, what)
                .hint("end that one first, or name another folder with --data")
                .code("server-runs")
                .into());
        }
        let folder = DataFolder { path: path.to_owned(), lock };
        folder.say(&format!("process {}\n", std::process::id()))?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says in the lock where this server is.
    pub fn listens(&self, url: &str) -> Result<()> {
        self.say(&format!("process {}, {url}\n", std::process::id()))
    }

    fn say(&self, text: &str) -> Result<()> {
        let mut lock = &self.lock;
        let written =
            lock.set_len(0).and_then(|()| lock.seek(SeekFrom::Start(0))).and_then(|_| lock.write_all(text.as_bytes()));
        written.with_context(|| format!("cannot write {}", self.path.join(LOCK).display()))
    }
}
