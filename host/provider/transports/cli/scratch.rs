//! The folders of one question, removed afterwards: by the host, by the attendant of a host that was killed, or else by the next host.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guardhost_os::{Links, is_own, open_without_waiting};
use tempfile::TempDir;

use crate::{FailureClass, ProviderFailure};

const PREFIX: &str = "guardhost-ask-";

/// A file in the folder, locked as long as its host lives.
const LOCK: &str = "lock";

/// How old a folder without the file must be: its host may be about to make it.
const OLD: Duration = Duration::from_secs(600);

/// Something that an agent leaves behind outside of the folder.
pub(super) enum AgentTrace {
    /// A folder that belongs to this question, with all that it holds.
    Folder(PathBuf),
    /// A folder of this question in which a user could keep something: it goes if there is nothing in it.
    EmptyFolder(PathBuf),
}

pub(super) struct ScratchFolder {
    /// Released when the folder is gone.
    _lock: File,
    whole: TempDir,
    dir: PathBuf,
    temporary: PathBuf,
}

impl ScratchFolder {
    /// Below `parent`; with these files, for an agent that reads settings from the folder that it starts in.
    pub(super) fn make(parent: &Path, files: &[(&str, &str)]) -> Result<Self, ProviderFailure> {
        Self::try_make(parent, files).map_err(|error| {
            let what = format!("cannot make a scratch folder in {}: {error}", parent.display());
            ProviderFailure::new(FailureClass::Config, what)
        })
    }

    fn try_make(parent: &Path, files: &[(&str, &str)]) -> io::Result<Self> {
        sweep_scratch(parent);
        let whole = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // It gets its name when it is locked.
        let unnamed = whole.path().join("new");
        let lock = File::create_new(&unnamed)?;
        lock.try_lock()?;
        fs::rename(unnamed, whole.path().join(LOCK))?;
        // Agents name what they leave behind after the folder that they start in.
        let dir = whole.path().join(whole.path().file_name().unwrap_or_default());
        let temporary = whole.path().join("tmp");
        fs::create_dir(&dir)?;
        fs::create_dir(&temporary)?;
        for (name, text) in files {
            let file = dir.join(name);
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(file, text)?;
        }
        Ok(ScratchFolder { _lock: lock, whole, dir, temporary })
    }

    /// Where the agent starts. An agent reads settings, hooks and instructions from there: it holds nothing but the host's own.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// For temporary files of the agent.
    pub(super) fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub(super) fn whole(&self) -> &Path {
        self.whole.path()
    }

    /// Removes what the agent left elsewhere for this question, one after another.
    pub(super) fn remove(&self, traces: Vec<AgentTrace>) {
        for trace in traces {
            // What cannot be removed stays: it is the user's own folder, and the answer does not depend on it.
            let _ = match trace {
                AgentTrace::Folder(folder) => fs::remove_dir_all(folder),
                AgentTrace::EmptyFolder(folder) => fs::remove_dir(folder),
            };
        }
    }
}

/// Removes the folders of hosts that were killed, and returns how many there were. One that cannot be removed stays for the next host.
pub fn sweep_scratch(parent: &Path) -> usize {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let left = entries.filter(|entry| is_left(entry).unwrap_or_default());
    left.filter(|entry| fs::remove_dir_all(entry.path()).is_ok()).count()
}

fn is_left(folder: &DirEntry) -> io::Result<bool> {
    if !folder.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
        return Ok(false);
    }
    let data = folder.metadata()?;
    if !data.is_dir() || !is_own(&data) {
        return Ok(false);
    }
    // An agent may have put anything into its place.
    match open_without_waiting(&folder.path().join(LOCK), Links::Refuse) {
        Ok(lock) => Ok(lock.try_lock().is_ok()),
        Err(_) => Ok(data.modified()?.elapsed().is_ok_and(|age| age >= OLD)),
    }
}
