//! The lock of a sandbox: a file that its supervisor holds, and that says whether every process of the last sandbox is known to be gone.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// The kernel releases a lock when the process ends that holds it.
pub fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Held, and not empty until [`SandboxLock::all_ended`].
pub struct SandboxLock(File);

impl SandboxLock {
    /// None when another process holds it.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        Ok(try_lock(path)?.map(SandboxLock))
    }

    /// Whether nothing is known about processes that ran under this lock before.
    pub fn is_unclean(&self) -> io::Result<bool> {
        Ok(self.0.metadata()?.len() > 0)
    }

    pub fn begin(&mut self) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.write_all(b"processes may be running\n")
    }

    pub fn all_ended(&mut self) -> io::Result<()> {
        self.0.set_len(0)
    }
}
