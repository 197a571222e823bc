//! Finding recorded runs: the newest, or one by the beginning of its id.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::history::{Depth, History};
use super::listed_run::ListedRun;
use super::run_folder::{run_folders, run_id};
use guardhost_core::error::{Fault, FaultKind, Result};

/// The newest runs, newest first, at most `limit`.
pub fn latest(state_dir: &Path, limit: usize) -> Result<Vec<History>> {
    recorded_runs(state_dir, Depth::All)?.take(limit).collect()
}

/// The same as lists show them. The record of a run that has ended is not read again.
pub fn latest_listed(state_dir: &Path, limit: usize) -> Result<Vec<ListedRun>> {
    newest_first(state_dir)?.into_iter().take(limit).map(ListedRun::read).collect()
}

/// All runs, newest first. Each is read when it is asked for: whoever looks for one reads no more than those before it, and holds one.
pub fn recorded_runs(state_dir: &Path, depth: Depth) -> Result<impl Iterator<Item = Result<History>> + use<>> {
    Ok(newest_first(state_dir)?.into_iter().map(move |dir| History::read(dir, depth)))
}

/// The ids of all runs that are recorded here.
pub fn recorded_ids(state_dir: &Path) -> Result<BTreeSet<String>> {
    Ok(run_folders(state_dir)?.iter().map(|dir| run_id(dir)).collect())
}

/// The result of [`find`].
pub enum FoundRun {
    One(History),
    None,
    /// Ids, newest first.
    Several(Vec<String>),
}

/// The run whose id is `prefix`, or begins with it.
///
/// # Errors
/// [`FaultKind::Usage`] when `prefix` cannot be the beginning of an id.
pub fn find(state_dir: &Path, prefix: &str) -> Result<FoundRun> {
    let prefix = prefix.to_ascii_lowercase();
    if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        return Err(Fault::new(FaultKind::Usage, format!("`{}` is not the id of a run", prefix.escape_debug()))
            .hint("host log lists them")
            .into());
    }
    let mut named = newest_first(state_dir)?;
    named.retain(|dir| run_id(dir).starts_with(&prefix));
    if let Some(exact) = named.iter().position(|dir| run_id(dir) == prefix) {
        named = vec![named.swap_remove(exact)];
    }
    match (named.pop(), named.is_empty()) {
        (None, _) => Ok(FoundRun::None),
        (Some(dir), true) => History::read(dir, Depth::All).map(FoundRun::One),
        (Some(last), false) => Ok(FoundRun::Several(named.iter().chain([&last]).map(|dir| run_id(dir)).collect())),
    }
}

/// The folders of all runs. By name: ids begin with the time at which the run began.
///
/// # Errors
/// The folder of the runs cannot be read.
pub fn newest_first(state_dir: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = run_folders(state_dir)?;
    folders.sort_by(|a, b| b.cmp(a));
    Ok(folders)
}
