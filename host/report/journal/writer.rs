//! Writing the folder of one run, with secrets masked.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::artifact::Artifact;
use super::objects::{ArtifactRef, Object};
use super::patch_debug::DebugFolder;
use super::run_folder::{RECORDS, TRACE, append_to, cannot_write, private_dir, runs_dir};
use super::secrets::Secrets;
use crate::{CheckReport, escape, json};
use guardhost_core::error::{Fault, Kind, Result};

/// The open folder of a run. Reply, patches and judgement are written under the number of their round.
pub struct Records {
    dir: PathBuf,
    secrets: Secrets,
    objects: File,
    debug: Option<DebugFolder>,
}

impl Records {
    /// Makes the folder.
    ///
    /// # Errors
    /// When the run exists already, since records are not overwritten; when `run` cannot be a folder's name ([`Kind::Usage`]).
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
            let objects = append_to(&dir.join(RECORDS))?;
            // Held until this process ends, so that readers can tell a running run from a killed one.
            match objects.lock() {
                Err(error) if error.kind() == ErrorKind::Unsupported => Ok(objects),
                locked => locked.map(|()| objects),
            }
        };
        let objects = make().map_err(|error| cannot_write(&dir, error))?;
        Ok(Records { dir, secrets, objects, debug: None })
    }

    /// Writes every artifact to `debug` as well.
    pub fn with_debug(self, debug: Option<DebugFolder>) -> Self {
        Records { debug, ..self }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn debug(&self) -> Option<&DebugFolder> {
        self.debug.as_ref()
    }

    /// The trace's path, and the file opened for appending.
    pub fn trace(&self) -> Result<(PathBuf, File)> {
        let path = self.dir.join(TRACE);
        let file = append_to(&path).map_err(|error| cannot_write(&path, error))?;
        Ok((path, file))
    }

    /// Appends an object. It is a single write, so that a kill tears at most the last line.
    pub fn record(&self, object: &Object) -> Result<()> {
        let line = escape::json(&self.secrets.json(serde_json::to_value(object)?));
        (&self.objects).write_all(&line).map_err(|error| cannot_write(&self.dir.join(RECORDS), error))
    }

    /// Writes an artifact's file, whole or not at all.
    pub fn keep(&self, round: u32, artifact: Artifact, bytes: &[u8]) -> Result<ArtifactRef> {
        let bytes = self.secrets.bytes(bytes);
        if let Some(debug) = &self.debug {
            debug.keep(round, artifact, &bytes)?;
        }
        self.write(round, artifact.file(), &bytes)
    }

    /// The judgement on the change as it was proposed.
    pub fn keep_judgement(&self, round: u32, check: &CheckReport) -> Result<ArtifactRef> {
        self.write(round, "judgement.json", &escape::json(&self.secrets.json(json::check(check))))
    }

    /// The judgement on the change with the guards' own fixes.
    pub fn keep_fixed_judgement(&self, round: u32, check: &CheckReport) -> Result<ArtifactRef> {
        self.write(round, "fixed-judgement.json", &escape::json(&self.secrets.json(json::check(check))))
    }

    fn write(&self, round: u32, name: &str, bytes: &[u8]) -> Result<ArtifactRef> {
        let dir = self.dir.join(round.to_string());
        let path = dir.join(name);
        let write = || {
            private_dir().recursive(true).create(&dir)?;
            // Temporary files are 0600, and a rename within a folder is atomic.
            let mut file = tempfile::NamedTempFile::new_in(&dir)?;
            file.write_all(bytes)?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map_err(|error| cannot_write(&path, error))?;
        Ok(ArtifactRef::file(format!("{round}/{name}"), bytes))
    }
}
