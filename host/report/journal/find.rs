//! Which runs there are.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{History, runs_dir};
use guardhost_core::error::{Context, Fault, Kind, Result};

/// The newest runs, newest first, at most `limit`.
pub fn latest(state_dir: &Path, limit: usize) -> Result<Vec<History>> {
    folders(state_dir)?.into_iter().take(limit).map(History::read).collect()
}

/// What a beginning of a run's id names.
pub enum FoundRun {
    One(History),
    None,
    /// Newest first.
    Several(Vec<String>),
}

/// The run whose id begins with `prefix`.
///
/// # Errors
/// [`Kind::Usage`] for what cannot be the beginning of an id.
pub fn find(state_dir: &Path, prefix: &str) -> Result<FoundRun> {
    let prefix = prefix.to_ascii_lowercase();
    if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        return Err(Fault::new(Kind::Usage, format!("`{}` is not the id of a run", prefix.escape_debug()))
            .hint("host log lists them")
            .into());
    }
    let mut named = folders(state_dir)?;
    named.retain(|dir| name(dir).starts_with(&prefix));
    if let Some(exact) = named.iter().position(|dir| name(dir) == prefix) {
        named = vec![named.swap_remove(exact)];
    }
    match (named.pop(), named.is_empty()) {
        (None, _) => Ok(FoundRun::None),
        (Some(dir), true) => History::read(dir).map(FoundRun::One),
        (Some(last), false) => Ok(FoundRun::Several(named.iter().chain([&last]).map(|dir| name(dir)).collect())),
    }
}

/// Newest first: the ids begin with the time. What is not a folder (a link least of all) is not ours.
pub(super) fn folders(state_dir: &Path) -> Result<Vec<PathBuf>> {
    let dir = runs_dir(state_dir);
    let entries = match fs::read_dir(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot read the records in {}", dir.display()))?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read the records in {}", dir.display()))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    folders.sort_by(|a, b| b.cmp(a));
    Ok(folders)
}

fn name(dir: &Path) -> String {
    dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
