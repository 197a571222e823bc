//! The write lock of a repository: one session writes at a time.

use std::fs::File;

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::Repo;

/// Held until dropped, or until the process ends.
pub(super) struct SessionLock(#[expect(dead_code, reason = "closing the file releases the lock")] File);

impl SessionLock {
    /// Waits while another session writes. The limits of the guards bound the wait.
    pub fn take(repo: &Repo) -> Result<Self> {
        let path = repo.state_dir()?.join("write.lock");
        let locked = File::options().create(true).append(true).open(&path).and_then(|file| {
            file.lock()?;
            Ok(file)
        });
        locked.map(SessionLock).with_context(|| Fault::new(FaultKind::Git, format!("cannot lock {}", path.display())))
    }
}
