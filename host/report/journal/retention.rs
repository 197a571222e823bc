//! Forgetting runs: their folders, and with them all that was recorded of them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::journal::runs_dir;
use guardhost_core::error::{Context, Result};

use super::artifact::TRACE;

/// How many runs are worth keeping, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    pub max_runs: usize,
    pub max_age: Duration,
}

impl Default for Keep {
    fn default() -> Self {
        Keep { max_runs: 50, max_age: Duration::from_secs(30 * 24 * 60 * 60) }
    }
}

impl Keep {
    pub(super) fn is_too_old(&self, changed: SystemTime, now: SystemTime) -> bool {
        now.duration_since(changed).is_ok_and(|age| age > self.max_age)
    }
}

/// Removes the folders of runs that are too old or too many, and says how many it removed. The newest run always stays.
pub fn prune(state_dir: &Path, keep: Keep, now: SystemTime) -> Result<usize> {
    let runs = runs(state_dir)?;
    let gone = runs.iter().enumerate().skip(1);
    let gone = gone.filter(|(n, (changed, _))| *n >= keep.max_runs || keep.is_too_old(*changed, now));
    let mut removed = 0;
    for (_, (_, dir)) in gone {
        match fs::remove_dir_all(dir) {
            Ok(()) => removed += 1,
            // Another process pruned it.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove the record {}", dir.display())),
        }
    }
    Ok(removed)
}

/// Newest first. What is not a folder (a link least of all) is not ours.
fn runs(state_dir: &Path) -> Result<Vec<(SystemTime, PathBuf)>> {
    let dir = runs_dir(state_dir);
    let entries = match fs::read_dir(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot read the records in {}", dir.display()))?,
    };
    let mut runs = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read the records in {}", dir.display()))?;
        // The trace grows until the run ends; its folder's own time stops when the last round begins.
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let path = entry.path();
            // One that vanishes meanwhile was pruned by another process.
            if let Ok(changed) = changed(&path.join(TRACE)).or_else(|_| changed(&path)) {
                runs.push((changed, path));
            }
        }
    }
    runs.sort_by(|a, b| b.cmp(a));
    Ok(runs)
}
