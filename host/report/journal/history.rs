//! The current state of one run, derived from its objects.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use guardhost_os::{open_regular, read_regular};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artifact::Artifact;
use super::objects::{
    ArtifactRef, Decision, DecisionType, IssueRecord, Object, ObjectBody, PatchSet, Run, StoredEvidence,
};
use super::run_command::RunCommand;
use super::run_folder::{RECORDS, TRACE, run_id};
use super::seal::{self, SealState};
use super::writer::REVIEW;
use crate::{ExplainedLines, ExplainedReply, ReadLines};
use guardhost_core::error::{Context, Result};
use guardhost_core::issue::{IssueStatus, status};

/// No file of a run is larger, in bytes.
pub(super) const LARGEST: u64 = 1 << 30;

/// The objects of one run, in the order in which they were written.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The run's id, which is its folder's name.
    pub run: String,
    pub dir: PathBuf,
    pub objects: Vec<Object>,
    /// Number of lines that are no object of this version. They stay in the file.
    pub unread: usize,
    is_locked: bool,
}

/// How much of a run's records is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    All,
    /// Without the Evidence objects: what single guards said is nine tenths of the records, and tells nothing about how a run went.
    Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "runState")]
pub enum State {
    Running,
    Ended,
    Interrupted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "applyStatus")]
pub enum ApplyStatus {
    /// Not decided.
    Proposed,
    Applied,
    Rejected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "artifactState")]
pub enum ArtifactState {
    Kept,
    Missing,
    Changed,
}

impl History {
    /// Reads a run's folder. A run that was killed at its very start has no records, and so no objects.
    ///
    /// # Errors
    /// The records are there and cannot be read.
    pub fn read(dir: PathBuf, depth: Depth) -> Result<Self> {
        let mut history = History { run: run_id(&dir), dir, ..History::default() };
        let cannot = || format!("cannot read the records in {}", history.dir.display());
        let file = match open_regular(&history.dir.join(RECORDS)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(history),
            file => file.with_context(cannot)?,
        };
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).with_context(cannot)?;
        for line in bytes.lines() {
            if depth == Depth::Outcome && is_evidence(line) {
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(object) => history.objects.push(object),
                Err(_) => history.unread += 1,
            }
        }
        // A running process holds a lock on the file; the system releases it however the process ends.
        history.is_locked = matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock));
        Ok(history)
    }

    /// From objects that came by another way than a folder, in the order in which they were written. `is_alive`: its process was alive.
    pub fn from_objects(run: String, objects: Vec<Object>, is_alive: bool) -> Self {
        History { run, objects, is_locked: is_alive, ..History::default() }
    }

    /// The file of the events, one a line.
    pub fn trace(&self) -> PathBuf {
        self.dir.join(TRACE)
    }

    pub fn state(&self) -> State {
        match (self.end(), self.is_locked) {
            (Some(_), _) => State::Ended,
            (None, true) => State::Running,
            (None, false) => State::Interrupted,
        }
    }

    pub fn run(&self) -> Option<(&Object, &Run)> {
        self.objects.iter().find_map(|object| match &object.body {
            ObjectBody::Run(run) => Some((object, run)),
            _ => None,
        })
    }

    /// Short name of the branch that the run commits to; None for a run on the index.
    pub fn branch(&self) -> Option<String> {
        let (_, run) = self.run()?;
        match (&run.branch, &run.command) {
            (Some(branch), _) => Some(branch.clone()),
            // As branches were named before they were recorded.
            (None, RunCommand::Run | RunCommand::Plan | RunCommand::Improve) => {
                Some(format!("guardhost/{}", run.origin.plan.as_deref().unwrap_or(&self.run)))
            }
            (None, _) => None,
        }
    }

    /// The commit that the run ended with.
    pub fn commit(&self) -> Option<&str> {
        self.end()?.result_commit_sha.as_deref()
    }

    /// The plan that the run is a step of, and the step's id.
    pub fn step_of(&self) -> Option<(&str, &str)> {
        let (_, run) = self.run()?;
        Some((run.origin.plan.as_deref()?, run.origin.step.as_deref().unwrap_or_default()))
    }

    /// Oldest first.
    pub fn patch_sets(&self) -> impl Iterator<Item = (&Object, &PatchSet)> {
        self.objects.iter().filter_map(|object| match &object.body {
            ObjectBody::PatchSet(patch_set) => Some((object, patch_set)),
            _ => None,
        })
    }

    /// The guards' verdicts on a PatchSet.
    pub fn evidence(&self, patchset: &str) -> impl Iterator<Item = (&Object, &StoredEvidence)> {
        self.objects.iter().filter_map(move |object| match &object.body {
            ObjectBody::Evidence(evidence) if evidence.patchset_id.as_deref() == Some(patchset) => {
                Some((object, evidence))
            }
            _ => None,
        })
    }

    pub fn decisions(&self) -> impl Iterator<Item = (&Object, &Decision)> {
        self.objects.iter().filter_map(|object| match &object.body {
            ObjectBody::Decision(decision) => Some((object, decision)),
            _ => None,
        })
    }

    /// Whether guards or critics judged a change in this run itself, not in one of its steps.
    pub fn has_judgement(&self) -> bool {
        let is_review = |artifact: &ArtifactRef| artifact.path.rsplit('/').next() == Some(REVIEW);
        self.objects.iter().any(|object| matches!(object.body, ObjectBody::Evidence(_)))
            || self.decisions().any(|(_, decision)| decision.artifacts.iter().any(is_review))
    }

    /// The facts about issues, oldest first.
    pub fn issue_facts(&self) -> impl Iterator<Item = &IssueRecord> {
        self.objects.iter().filter_map(|object| match &object.body {
            ObjectBody::Issue(issue) => Some(issue),
            _ => None,
        })
    }

    /// The issues of the run in the order of its list, each with its first record and its status.
    pub fn issues(&self) -> Vec<(&IssueRecord, IssueStatus)> {
        let mut first: Vec<&IssueRecord> = Vec::new();
        for record in self.issue_facts() {
            if !first.iter().any(|known| known.issue == record.issue) {
                first.push(record);
            }
        }
        let is_alive = self.state() == State::Running;
        let of = |id: &str| {
            status(self.issue_facts().filter(|record| record.issue == id).map(|record| &record.fact), is_alive)
        };
        first.into_iter().map(|record| (record, of(&record.issue))).collect()
    }

    /// The decision about a PatchSet.
    pub fn decision(&self, patchset: &str) -> Option<(&Object, &Decision)> {
        self.decisions().find(|(_, decision)| decision.patchset_id.as_deref() == Some(patchset))
    }

    pub fn status(&self, patchset: &str) -> ApplyStatus {
        match self.decision(patchset).map(|(_, decision)| decision.decision_type) {
            None if self.is_superseded(patchset) => ApplyStatus::Rejected,
            None => ApplyStatus::Proposed,
            Some(DecisionType::Commit) => ApplyStatus::Applied,
            Some(DecisionType::Retry | DecisionType::Abandon) => ApplyStatus::Rejected,
        }
    }

    /// A PatchSet and the one with the guards' fixes share one decision: it names the other of the two.
    fn is_superseded(&self, patchset: &str) -> bool {
        self.patch_sets().any(|(object, other)| match other.mends.as_deref() {
            Some(mended) if mended == patchset => self.decision(&object.object_id).is_some(),
            Some(mended) if object.object_id == patchset => self.decision(mended).is_some(),
            _ => false,
        })
    }

    /// Why a round was not accepted, or why the run ended in it.
    pub fn rationale(&self, round: u32) -> Option<&str> {
        self.decisions().find(|(_, decision)| decision.round == round)?.1.rationale.as_deref()
    }

    /// The decision that ended the run.
    pub fn end(&self) -> Option<&Decision> {
        self.decisions().map(|(_, decision)| decision).find(|decision| decision.outcome.is_some())
    }

    /// The last round that the records mention; 0 when they mention none.
    pub fn rounds(&self) -> u32 {
        let patched = self.patch_sets().map(|(_, patch_set)| patch_set.round);
        patched.chain(self.decisions().map(|(_, decision)| decision.round)).max().unwrap_or_default()
    }

    /// Whether the records are as they were written.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn seal_state(&self) -> Result<SealState> {
        let path = self.dir.join(RECORDS);
        let bytes =
            read_regular(&path, LARGEST).with_context(|| format!("cannot read the records {}", path.display()))?;
        Ok(seal::check(&bytes))
    }

    pub fn artifact_state(&self, artifact: &ArtifactRef) -> ArtifactState {
        match read_regular(&self.dir.join(&artifact.path), LARGEST) {
            Ok(bytes) if ArtifactRef::key_of(&bytes) == artifact.key => ArtifactState::Kept,
            Ok(_) => ArtifactState::Changed,
            Err(_) => ArtifactState::Missing,
        }
    }

    /// The files of a round, relative to the run's folder, with their sizes in bytes; sorted by name.
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

    /// What each line of the round's reply was read as; None where that was not recorded, or cannot be read any more.
    pub fn explained(&self, round: u32) -> Option<ExplainedReply> {
        let file = |artifact: Artifact| read_regular(&self.dir.join(round.to_string()).join(artifact.file()), LARGEST);
        let read: Vec<ReadLines> = serde_json::from_slice(&file(Artifact::Account).ok()?).ok()?;
        let reply = file(Artifact::Repaired).or_else(|_| file(Artifact::Reply)).ok()?;
        Some(ExplainedReply { round, lines: ExplainedLines::from_reply(&String::from_utf8_lossy(&reply), read) })
    }
}

/// Told without reading the line: within a string of JSON no quotation mark stands without a backslash, so that only a key of the object
/// has this form. A line that does not end as an object does was torn, and counts as unread.
fn is_evidence(line: &[u8]) -> bool {
    line.ends_with(b"}") && line.contains_str(r#""object_type":"evidence""#)
}
