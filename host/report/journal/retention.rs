//! Removing the folders of old runs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::listed_run::ListedRun;
use super::run_folder::{TRACE, run_folders, run_id};
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

/// A run whose record need not be kept any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredRun {
    /// Its id.
    pub run: String,
    folder: PathBuf,
}

/// A file in the folder of a run that is kept beyond its time, because a branch has its commit; how often that is looked at again.
const PINNED: &str = "pinned";
const LOOK_AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

/// The runs beyond `keep`, the oldest last. The newest run always stays.
pub fn expired(state_dir: &Path, keep: Keep, now: SystemTime) -> Result<Vec<ExpiredRun>> {
    let runs = by_change(state_dir)?;
    let expired = runs.into_iter().enumerate().skip(1);
    let expired = expired.filter(|(n, (changed, _))| *n >= keep.max_runs || keep.is_too_old(*changed, now));
    let looked = |folder: &Path| fs::metadata(folder.join(PINNED)).and_then(|data| data.modified());
    let is_pinned =
        |folder: &Path| looked(folder).is_ok_and(|looked| now.duration_since(looked).unwrap_or_default() < LOOK_AGAIN);
    let expired = expired.map(|(_, (_, folder))| folder).filter(|folder| !is_pinned(folder));
    Ok(expired.map(|folder| ExpiredRun { run: run_id(&folder), folder }).collect())
}

impl ExpiredRun {
    /// What is recorded of it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn listed(&self) -> Result<ListedRun> {
        ListedRun::read(self.folder.clone())
    }

    /// Keeps it for another day.
    pub fn pin(&self) {
        // What is not remembered is looked at again.
        let _ = fs::write(self.folder.join(PINNED), "");
    }

    /// Removes its folder. Whatever else belongs to the run goes first: a process that is killed in between leaves the folder, and the next
    /// one goes on.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Ok(()) => Ok(()),
            // Another process removed it first.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error).with_context(|| format!("cannot remove the record {}", self.folder.display())),
        }
    }
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
