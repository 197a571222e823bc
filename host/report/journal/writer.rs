//! Writing the folder of one run, with secrets masked.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::artifact::Artifact;
use super::listed_run::ListedRun;
use super::objects::{ArtifactRef, Object, ObjectBody};
use super::patch_debug::DebugFolder;
use super::review::ReviewRecord;
use super::run_folder::{RECORDS, TRACE, append_to, cannot_write, private_dir, runs_dir};
use super::seal::Seal;
use super::secrets::Secrets;
use crate::{CheckReport, escape};
use guardhost_core::change::RecordedAnswers;
use guardhost_core::error::{Fault, FaultKind, Result};

/// Names of files in the folder of a round.
pub const JUDGEMENT: &str = "judgement.json";
pub const FIXED_JUDGEMENT: &str = "fixed-judgement.json";
pub const ANSWERS: &str = "answers.json";
pub const FIXED_ANSWERS: &str = "fixed-answers.json";
/// What a review judged.
pub const REVIEW: &str = "review.json";

/// The open folder of a run. Reply, patches and judgement are written under the number of their round.
pub struct Records {
    dir: PathBuf,
    secrets: Secrets,
    objects: File,
    seal: Mutex<Seal>,
    /// The files that were kept since the last decision.
    kept: Mutex<Vec<ArtifactRef>>,
    /// The decision that ends the run was written.
    is_ended: AtomicBool,
    debug: Option<DebugFolder>,
}

impl Records {
    /// Makes the folder.
    ///
    /// # Errors
    /// When the run exists already, since records are not overwritten; when `run` cannot be a folder's name ([`FaultKind::Usage`]).
    pub fn create(state_dir: &Path, run: &str, secrets: Secrets) -> Result<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if run.is_empty() || !run.bytes().all(plain) {
            return Err(Fault::new(FaultKind::Usage, format!("`{run}` cannot name a run")).into());
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
        Ok(Records {
            dir,
            secrets,
            objects,
            seal: Mutex::default(),
            kept: Mutex::default(),
            is_ended: AtomicBool::new(false),
            debug: None,
        })
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

    /// Appends an object, sealed. It is a single write, so that a kill tears at most the last line. A decision names every file that was kept
    /// since the decision before.
    pub fn record(&self, object: &Object) -> Result<()> {
        let mut object = object.clone();
        if let ObjectBody::Decision(decision) = &mut object.body {
            decision.artifacts = std::mem::take(&mut *unpoisoned(&self.kept));
            self.is_ended.fetch_or(decision.outcome.is_some(), Ordering::Relaxed);
        }
        let line = escape::json(&self.secrets.json(serde_json::to_value(object)?));
        let mut seal = unpoisoned(&self.seal);
        let line = seal.add(&line);
        (&self.objects).write_all(&line).map_err(|error| cannot_write(&self.dir.join(RECORDS), error))?;
        // It also tells the facts that come behind the end.
        if self.is_ended.load(Ordering::Relaxed) {
            ListedRun::store(&self.dir);
        }
        Ok(())
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
        self.write(round, JUDGEMENT, &escape::json(&self.secrets.json(serde_json::to_value(check)?)))
    }

    /// What a review judged with models.
    pub fn keep_review(&self, round: u32, review: &ReviewRecord) -> Result<ArtifactRef> {
        self.write(round, REVIEW, &escape::json(&self.secrets.json(serde_json::to_value(review)?)))
    }

    /// The judgement on the change with the guards' own fixes.
    pub fn keep_fixed_judgement(&self, round: u32, check: &CheckReport) -> Result<ArtifactRef> {
        self.write(round, FIXED_JUDGEMENT, &escape::json(&self.secrets.json(serde_json::to_value(check)?)))
    }

    /// What guards were told for the judgement on the change as it was proposed.
    pub fn keep_answers(&self, round: u32, answers: &RecordedAnswers) -> Result<ArtifactRef> {
        self.write(round, ANSWERS, &escape::json(&self.secrets.json(serde_json::to_value(answers)?)))
    }

    /// The same for the change with the guards' own fixes.
    pub fn keep_fixed_answers(&self, round: u32, answers: &RecordedAnswers) -> Result<ArtifactRef> {
        self.write(round, FIXED_ANSWERS, &escape::json(&self.secrets.json(serde_json::to_value(answers)?)))
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
        let kept = ArtifactRef::file(format!("{round}/{name}"), bytes);
        let mut all = unpoisoned(&self.kept);
        all.retain(|other| other.path != kept.path);
        all.push(kept.clone());
        Ok(kept)
    }
}

fn unpoisoned<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
