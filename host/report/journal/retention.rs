//! Removing the folders of old runs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::run_folder::{TRACE, run_folders};
use guardhost_core::error::{Context, Result};

/// How many runs are kept, and for how long.
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

/// Removes the folders of runs beyond `keep` and returns how many it removed. The newest run always stays.
pub fn prune(state_dir: &Path, keep: Keep, now: SystemTime) -> Result<usize> {
    let runs = by_change(state_dir)?;
    let expired = runs.iter().enumerate().skip(1);
    let expired = expired.filter(|(n, (changed, _))| *n >= keep.max_runs || keep.is_too_old(*changed, now));
    let mut removed = 0;
    for (_, (_, dir)) in expired {
        match fs::remove_dir_all(dir) {
            Ok(()) => removed += 1,
            // Another process removed it first.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove the record {}", dir.display())),
        }
    }
    Ok(removed)
}

/// Folders of runs with the time of their last change, newest first.
fn by_change(state_dir: &Path) -> Result<Vec<(SystemTime, PathBuf)>> {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    // The trace grows until the run ends; the folder's own time stops when the last round begins. A folder without a time
    // was removed by another process meanwhile.
    let with_time = |dir: PathBuf| Some((changed(&dir.join(TRACE)).or_else(|_| changed(&dir)).ok()?, dir));
    let mut runs: Vec<_> = run_folders(state_dir)?.into_iter().filter_map(with_time).collect();
    runs.sort_by(|a, b| b.cmp(a));
    Ok(runs)
}
