//! What a run leaves behind, for people and for `host log`: a folder `runs/<run>/` with the trace, the objects of
//! [`crate::journal`] and, for each round, the prompt, the reply, the patches and the judgement. Files are 0600 in folders
//! of 0700: replies may quote private code.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{ArtifactRef, Object, runs_dir};
use guardhost_core::error::{Fault, Kind, Result};

use super::artifact::{Artifact, TRACE, cannot_write, private_dir};
use super::debug::DebugFolder;
use super::secrets::Secrets;
use crate::CheckReport;
use crate::{escape, json};

/// The folder of one run.
pub struct Records {
    dir: PathBuf,
    secrets: Secrets,
    objects: File,
    debug: Option<DebugFolder>,
}

impl Records {
    /// Makes the folder. A run that is there already is an error: records are not overwritten.
    pub fn create(state_dir: &Path, run: &str, secrets: Secrets) -> Result<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if run.is_empty() || !run.bytes().all(plain) {
            return Err(Fault::new(Kind::Usage, format!("`{run}` cannot name a run")).into());
        }
        let runs = runs_dir(state_dir);
        let dir = runs.join(run);
        let make = || {
            private_dir().recursive(true).create(&runs)?;
            private_dir().create(&dir)?;
            let objects = append_to(&dir.join(super::FILE))?;
            // Held as long as this process lives: so readers know a run at work from one that was killed.
            match objects.lock() {
                Err(error) if error.kind() == ErrorKind::Unsupported => Ok(objects),
                locked => locked.map(|()| objects),
            }
        };
        let objects = make().map_err(|error| cannot_write(&dir, error))?;
        Ok(Records { dir, secrets, objects, debug: None })
    }

    /// Artifacts go to `debug` as well.
    pub fn with_debug(self, debug: Option<DebugFolder>) -> Self {
        Records { debug, ..self }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn debug(&self) -> Option<&DebugFolder> {
        self.debug.as_ref()
    }

    /// Where the trace lies, and an open file for it.
    pub fn trace(&self) -> Result<(PathBuf, File)> {
        let path = self.dir.join(TRACE);
        let file = append_to(&path).map_err(|error| cannot_write(&path, error))?;
        Ok((path, file))
    }

    /// Appends an object, keys masked. One write, so that of a killed run at most the last line is torn.
    pub fn record(&self, object: &Object) -> Result<()> {
        let line = escape::json(&self.secrets.json(serde_json::to_value(object)?));
        (&self.objects).write_all(&line).map_err(|error| cannot_write(&self.dir.join(super::FILE), error))
    }

    /// Keeps `bytes`, keys masked, under the round's number. Whole or not at all.
    pub fn keep(&self, round: u32, artifact: Artifact, bytes: &[u8]) -> Result<ArtifactRef> {
        let bytes = self.secrets.bytes(bytes);
        if let Some(debug) = &self.debug {
            debug.keep(round, artifact, &bytes)?;
        }
        self.write(round, artifact.file(), &bytes)
    }

    pub fn keep_judgement(&self, round: u32, check: &CheckReport) -> Result<ArtifactRef> {
        self.write(round, "judgement.json", &escape::json(&self.secrets.json(json::check(check))))
    }

    /// The same for the change with the guards' own fixes.
    pub fn keep_fixed_judgement(&self, round: u32, check: &CheckReport) -> Result<ArtifactRef> {
        self.write(round, "fixed-judgement.json", &escape::json(&self.secrets.json(json::check(check))))
    }

    fn write(&self, round: u32, name: &str, bytes: &[u8]) -> Result<ArtifactRef> {
        let dir = self.dir.join(round.to_string());
        let path = dir.join(name);
        let write = || {
            private_dir().recursive(true).create(&dir)?;
            // A temporary file is 0600, and in the same folder the rename is atomic.
            let mut file = tempfile::NamedTempFile::new_in(&dir)?;
            file.write_all(bytes)?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map_err(|error| cannot_write(&path, error))?;
        Ok(ArtifactRef::file(format!("{round}/{name}"), bytes))
    }
}

fn append_to(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}
