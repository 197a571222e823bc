//! Runs that resume one another.

use std::path::Path;

use super::find::{FoundRun, find};
use super::history::History;
use guardhost_core::error::Result;

/// The run, the one that it took up, and so on.
///
/// # Errors
/// When the records cannot be read.
pub fn ancestry(state_dir: &Path, history: &History) -> Result<Vec<String>> {
    let mut runs = vec![history.run.clone()];
    let mut resumes = history.run().and_then(|(_, run)| run.origin.resumes.clone());
    // A run resumes an earlier one, so a repeated id means that the records are wrong.
    while let Some(id) = resumes.take().filter(|id| !runs.contains(id)) {
        if let FoundRun::One(history) = find(state_dir, &id)? {
            resumes = history.run().and_then(|(_, run)| run.origin.resumes.clone());
        }
        runs.push(id);
    }
    Ok(runs)
}

/// The first of the runs that resume one another: who holds their claims, so that the next takes up what a killed one had claimed.
///
/// # Errors
/// When the records cannot be read.
pub fn first_run(state_dir: &Path, run: &str) -> Result<String> {
    let FoundRun::One(history) = find(state_dir, run)? else { return Ok(run.to_owned()) };
    Ok(ancestry(state_dir, &history)?.pop().unwrap_or(history.run))
}
