//! What a list says of a run. It is stored beside the record as soon as that has its end, so that a list of many runs reads a line of each.

use std::path::{Path, PathBuf};

use guardhost_core::change::RecordedEnd;
use guardhost_core::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::derived::DerivedFile;
use super::history::{ApplyStatus, Depth, History, State};
use super::run_command::RunCommand;

/// Its version is that of [`History::listed`].
const SUMMARY: DerivedFile = DerivedFile { name: "summary.json", version: 1 };

/// One run in `host log`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "logSummary")]
pub struct ListedRun {
    pub run: String,
    pub state: State,
    /// RFC 3339, UTC.
    pub created_at: Option<String>,
    pub command: Option<RunCommand>,
    pub task: Option<String>,
    /// The chain of providers.
    pub provider: Option<String>,
    /// The base commit.
    pub base: Option<String>,
    /// `null` while it has not ended.
    pub outcome: Option<RecordedEnd>,
    /// Why it ended so.
    pub reason: Option<String>,
    pub commit: Option<String>,
    pub rounds: u32,
    /// The last patch.
    pub latest: Option<LatestPatch>,
    pub micros: Option<u64>,
    /// Lines of the record.
    pub unread: usize,
    /// For a step that of its plan.
    pub branch: Option<String>,
    /// Of a step, the plan's run.
    pub plan: Option<String>,
    pub step: Option<String>,
    /// The run that this one resumes.
    pub resumes: Option<String>,
}

/// The last patch of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "latestPatch")]
pub struct LatestPatch {
    pub object_id: String,
    pub sequence: u32,
    pub apply_status: ApplyStatus,
}

impl ListedRun {
    /// The run in this folder.
    ///
    /// # Errors
    /// The records are there and cannot be read.
    pub fn read(dir: PathBuf) -> Result<Self> {
        SUMMARY.read(&dir.clone(), || {
            let run = History::read(dir, Depth::Outcome)?.listed();
            let state = run.state;
            Ok((run, state))
        })
    }

    /// Stores the summary of a run whose record has its end. What cannot be stored is derived when it is needed.
    pub(super) fn store(dir: &Path) {
        let _ = Self::read(dir.to_owned());
    }

    /// The plan that the run is a step of, and the step's id.
    pub fn step_of(&self) -> Option<(&str, &str)> {
        Some((self.plan.as_deref()?, self.step.as_deref().unwrap_or_default()))
    }
}

impl History {
    /// The run as lists show it.
    pub fn listed(&self) -> ListedRun {
        let run = self.run();
        let end = self.end();
        let of_run = run.map(|(_, run)| run);
        let latest = self.patch_sets().last().map(|(object, patch_set)| LatestPatch {
            object_id: object.object_id.clone(),
            sequence: patch_set.sequence,
            apply_status: self.status(&object.object_id),
        });
        ListedRun {
            run: self.run.clone(),
            state: self.state(),
            created_at: run.map(|(object, _)| object.created_at.clone()),
            command: of_run.map(|run| run.command.clone()),
            task: of_run.map(|run| run.task.clone()),
            provider: of_run.map(|run| run.provider.clone()),
            base: of_run.and_then(|run| run.commit.clone()),
            outcome: end.and_then(|end| end.outcome.clone()),
            reason: end.and_then(|end| end.rationale.clone()),
            commit: self.commit().map(str::to_owned),
            rounds: self.rounds(),
            latest,
            micros: end.map(|end| end.micros),
            unread: self.unread,
            branch: self.branch(),
            plan: of_run.and_then(|run| run.origin.plan.clone()),
            step: of_run.and_then(|run| run.origin.step.clone()),
            resumes: of_run.and_then(|run| run.origin.resumes.clone()),
        }
    }
}
