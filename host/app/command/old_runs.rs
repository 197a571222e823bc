//! What becomes of the records of old runs, and of the refs that keep their rejected attempts.

use std::path::Path;
use std::time::SystemTime;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_report::journal::{ExpiredRun, Keep, expired, recorded_ids};

/// The branches of runs themselves: they hold no run, or none would ever go.
const OF_RUNS: &str = "guardhost/";

/// Removes the runs beyond `keep`, each with its refs, except those whose commit a branch has: `host log` and `host replay` of a commit find
/// its record as long as the commit is there. Refs of runs that are gone go, too.
pub fn remove(repo: &Repo, state: &Path, keep: Keep, now: SystemTime) -> Result<()> {
    for run in expired(state, keep, now)? {
        if is_pinned(repo, &run)? {
            run.pin();
            continue;
        }
        repo.drop_rejected(&run.run)?;
        run.remove()?;
    }
    // A run has its folder before it has a ref.
    let left = repo.runs_with_rejected()?;
    if left.is_empty() {
        return Ok(());
    }
    let recorded = recorded_ids(state)?;
    left.iter().filter(|run| !recorded.contains(*run)).try_for_each(|run| repo.drop_rejected(run).map(drop))
}

/// A record that cannot be read holds nothing.
fn is_pinned(repo: &Repo, run: &ExpiredRun) -> Result<bool> {
    let commit = run.listed().ok().and_then(|run| run.commit).and_then(|commit| Oid::from_str(&commit).ok());
    commit.map_or(Ok(false), |commit| repo.is_on_branch(commit, OF_RUNS))
}
