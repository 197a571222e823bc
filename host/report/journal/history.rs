//! What is current, derived from the objects of one run.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::object::{ArtifactRef, Body, Decision, DecisionType, Evidence, Object, PatchSet, Run};
use guardhost_core::error::{Context, Result};

/// The objects of one run, in the order in which they were written.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Name of the folder.
    pub run: String,
    pub dir: PathBuf,
    pub objects: Vec<Object>,
    /// Lines that are no object of this version; they stay where they are.
    pub unread: usize,
    at_work: bool,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its process is alive.
    Running,
    Ended,
    /// Its process is gone, and did not write an end: it was killed.
    Interrupted,
}

/// Where a PatchSet stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyStatus {
    /// Nothing was decided about it.
    Proposed,
    Applied,
    Rejected,
}

impl History {
    /// Reads a run's folder. One without records (it was killed at the very start) has no objects.
    pub(super) fn read(dir: PathBuf) -> Result<Self> {
        let run = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut history = History { run, dir, ..History::default() };
        let cannot = || format!("cannot read the records in {}", history.dir.display());
        let file = match File::open(history.dir.join(super::FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(history),
            file => file.with_context(cannot)?,
        };
        let lines: Vec<Vec<u8>> =
            BufReader::new(&file).split(b'\n').collect::<std::io::Result<_>>().with_context(cannot)?;
        for line in &lines {
            match serde_json::from_slice(line) {
                Ok(object) => history.objects.push(object),
                Err(_) => history.unread += 1,
            }
        }
        // Whoever writes the file holds its lock, and the lock goes with the process, however that ends.
        history.at_work = matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock));
        Ok(history)
    }

    pub fn state(&self) -> State {
        match (self.end(), self.at_work) {
            (Some(_), _) => State::Ended,
            (None, true) => State::Running,
            (None, false) => State::Interrupted,
        }
    }

    pub fn run(&self) -> Option<(&Object, &Run)> {
        self.objects.iter().find_map(|object| match &object.body {
            Body::Run(run) => Some((object, run)),
            _ => None,
        })
    }

    /// In their order; the last is the latest.
    pub fn patch_sets(&self) -> impl Iterator<Item = (&Object, &PatchSet)> {
        self.objects.iter().filter_map(|object| match &object.body {
            Body::PatchSet(patch_set) => Some((object, patch_set)),
            _ => None,
        })
    }

    /// What guards said of a PatchSet.
    pub fn evidence(&self, patchset: &str) -> impl Iterator<Item = (&Object, &Evidence)> {
        self.objects.iter().filter_map(move |object| match &object.body {
            Body::Evidence(evidence) if evidence.patchset_id.as_deref() == Some(patchset) => Some((object, evidence)),
            _ => None,
        })
    }

    pub fn decisions(&self) -> impl Iterator<Item = (&Object, &Decision)> {
        self.objects.iter().filter_map(|object| match &object.body {
            Body::Decision(decision) => Some((object, decision)),
            _ => None,
        })
    }

    /// What was decided about a PatchSet.
    pub fn decision(&self, patchset: &str) -> Option<(&Object, &Decision)> {
        self.decisions().find(|(_, decision)| decision.patchset_id.as_deref() == Some(patchset))
    }

    pub fn status(&self, patchset: &str) -> ApplyStatus {
        match self.decision(patchset).map(|(_, decision)| decision.decision_type) {
            None if self.is_passed_over(patchset) => ApplyStatus::Rejected,
            None => ApplyStatus::Proposed,
            Some(DecisionType::Commit) => ApplyStatus::Applied,
            Some(DecisionType::Retry | DecisionType::Abandon) => ApplyStatus::Rejected,
        }
    }

    /// Of a PatchSet and the one that mends it, the other was decided about.
    fn is_passed_over(&self, patchset: &str) -> bool {
        self.patch_sets().any(|(object, other)| match other.mends.as_deref() {
            Some(mended) if mended == patchset => self.decision(&object.object_id).is_some(),
            Some(mended) if object.object_id == patchset => self.decision(mended).is_some(),
            _ => false,
        })
    }

    /// The decision that ended the run.
    pub fn end(&self) -> Option<&Decision> {
        self.decisions().map(|(_, decision)| decision).find(|decision| decision.outcome.is_some())
    }

    /// The last round that left a trace in the records.
    pub fn rounds(&self) -> u32 {
        let patched = self.patch_sets().map(|(_, patch_set)| patch_set.round);
        patched.chain(self.decisions().map(|(_, decision)| decision.round)).max().unwrap_or_default()
    }

    /// `kept`, `missing`, or `changed` since it was recorded.
    pub fn artifact_state(&self, artifact: &ArtifactRef) -> &'static str {
        match std::fs::read(self.dir.join(&artifact.path)) {
            Ok(bytes) if ArtifactRef::key_of(&bytes) == artifact.key => "kept",
            Ok(_) => "changed",
            Err(_) => "missing",
        }
    }

    /// Names and sizes in bytes of what is kept of a round, sorted by name.
    pub fn artifacts(&self, round: u32) -> Vec<(PathBuf, u64)> {
        let entries = std::fs::read_dir(self.dir.join(round.to_string())).into_iter().flatten().flatten();
        let file = |entry: std::fs::DirEntry| {
            let data = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some((Path::new(&round.to_string()).join(entry.file_name()), data.len()))
        };
        let mut files: Vec<_> = entries.filter_map(file).collect();
        files.sort();
        files
    }
}
