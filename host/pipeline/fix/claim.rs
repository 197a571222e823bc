//! Who works on an issue: of several hosts at one repository, one.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_os::Private;

/// Bytes of a lock file: a number and the id of a run.
const MOST: u64 = 200;

/// Where issues are claimed. The key of a claim is the repository, which the implementation knows, and the fingerprint of the issue.
pub trait Claims {
    /// # Errors
    /// When it cannot be told whether another host works on it.
    fn claim(&self, fingerprint: &str, run: &str) -> Result<ClaimedIssue>;
}

pub enum ClaimedIssue {
    Ours(IssueClaim),
    /// Another host works on it.
    Held {
        /// The id of its run, as far as it is known.
        by: Option<String>,
    },
}

/// The right to work on an issue, until it is dropped or the process ends.
pub struct IssueClaim {
    /// Greater than that of every earlier claim of the issue, so that what a host that lost its claim still writes can be told.
    pub fence: u64,
    _held: Box<dyn std::any::Any + Send>,
}

impl IssueClaim {
    pub fn new(fence: u64, held: impl std::any::Any + Send) -> Self {
        IssueClaim { fence, _held: Box::new(held) }
    }
}

/// A lock file for each issue, in the git directory that all work trees share. The kernel releases the lock however the process ends.
pub struct LockFiles(PathBuf);

impl LockFiles {
    /// `state_dir` is the folder of Guardhost in the git directory.
    pub fn new(state_dir: &Path) -> Self {
        LockFiles(state_dir.join("claims"))
    }
}

impl Claims for LockFiles {
    fn claim(&self, fingerprint: &str, run: &str) -> Result<ClaimedIssue> {
        let path = self.0.join(fingerprint);
        let cannot = || {
            Fault::new(FaultKind::Git, format!("cannot claim an issue in {}", path.display()))
                .hint("claims lie in the repository's git directory; check its permissions and the free space")
        };
        DirBuilder::new().recursive(true).private().create(&self.0).with_context(cannot)?;
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).private().open(&path).with_context(cannot)?;
        let held = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        };
        let mut text = String::new();
        (&file).take(MOST).read_to_string(&mut text).with_context(cannot)?;
        let mut words = text.split_whitespace();
        let last = words.next().and_then(|fence| fence.parse::<u64>().ok()).unwrap_or(0);
        if !held {
            return Ok(ClaimedIssue::Held { by: words.next().map(str::to_owned) });
        }
        let fence = last + 1;
        write(&mut file, &format!("{fence} {run}\n")).with_context(cannot)?;
        Ok(ClaimedIssue::Ours(IssueClaim::new(fence, file)))
    }
}

fn write(file: &mut File, text: &str) -> std::io::Result<()> {
    // Never shorter than what it says, so that a crash does not set the number back.
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_claim_at_a_time_and_each_with_a_greater_fence() {
        let folder = tempfile::tempdir().expect("a folder");
        let claims = LockFiles::new(folder.path());
        let fence = |claimed: &ClaimedIssue| match claimed {
            ClaimedIssue::Ours(claim) => Ok(claim.fence),
            ClaimedIssue::Held { by } => Err(by.clone()),
        };
        let first = claims.claim("a", "run-1").expect("claimed");
        assert_eq!(fence(&first), Ok(1));
        assert_eq!(fence(&claims.claim("a", "run-2").expect("asked")), Err(Some("run-1".to_owned())));
        assert_eq!(fence(&claims.claim("b", "run-2").expect("claimed")), Ok(1));
        drop(first);
        assert_eq!(fence(&claims.claim("a", "run-2").expect("claimed")), Ok(2));
    }
}
