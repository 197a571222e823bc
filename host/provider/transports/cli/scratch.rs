//! The folders of one question, removed afterwards.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{FailureClass, ProviderFailure};

pub(super) struct Scratch {
    whole: TempDir,
    dir: PathBuf,
    temporary: PathBuf,
}

impl Scratch {
    /// Below `parent`; with these files, for an agent that reads settings from the folder that it starts in.
    pub(super) fn make(parent: &Path, files: &[(&str, &str)]) -> Result<Self, ProviderFailure> {
        Self::try_make(parent, files).map_err(|error| {
            let what = format!("cannot make a scratch folder in {}: {error}", parent.display());
            ProviderFailure::new(FailureClass::Config, what)
        })
    }

    fn try_make(parent: &Path, files: &[(&str, &str)]) -> io::Result<Self> {
        let whole = tempfile::Builder::new().prefix("guardhost-ask-").tempdir_in(parent)?;
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
        Ok(Scratch { whole, dir, temporary })
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

    /// Removes what the agent left elsewhere for this question.
    pub(super) fn remove(&self, traces: Vec<PathBuf>) {
        for trace in traces {
            // What cannot be removed stays: it is the user's own folder, and the answer does not depend on it.
            let _ = fs::remove_dir_all(trace);
        }
    }
}
