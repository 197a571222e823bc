//! One writer at a time.

use std::fs::File;

use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_git::Repo;

/// Held until it is dropped, or the process ends. Waits for another session's write, which the limits of the guards bound.
pub(super) struct Lock(#[expect(dead_code, reason = "the lock goes with the file")] File);

impl Lock {
    pub fn take(repo: &Repo) -> Result<Self> {
        let path = repo.state_dir()?.join("write.lock");
        let locked = File::options().create(true).append(true).open(&path).and_then(|file| {
            file.lock()?;
            Ok(file)
        });
        locked.map(Lock).with_context(|| Fault::new(Kind::Git, format!("cannot lock {}", path.display())))
    }
}
