//! Input of the plan stage: the steps of a plan, and the outcomes of earlier runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RepoPath;
use crate::error::Result;
use crate::serialized_names;
use crate::written::serialized_name;

/// One step of a plan, which becomes one change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanStep {
    /// Unique within the plan.
    pub id: String,
    pub title: String,
    /// The task as the provider gets it.
    pub text: String,
    /// Paths that it is expected to touch.
    pub hints: Vec<RepoPath>,
    pub action: StepAction,
}

impl PlanStep {
    /// What tells this step from another one: the words of its title and its hints. A description may be worded anew each time.
    pub fn digest(&self) -> String {
        step_digest(&self.title, &self.hints)
    }
}

/// The digest of a step, in hex: of the lower-case words of its title, and of its hints in any order.
pub fn step_digest(title: &str, hints: &[RepoPath]) -> String {
    let mut sorted: Vec<&RepoPath> = hints.iter().collect();
    sorted.sort();
    let mut hasher = blake3::Hasher::new();
    for word in title.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        hasher.update(word.as_bytes()).update(b" ");
    }
    for hint in sorted {
        hasher.update(b"\0").update(hint.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// What a step does to these files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "stepAction")]
pub enum StepAction {
    Create,
    #[default]
    Modify,
    Delete,
    Verify,
}

impl StepAction {
    /// As plans spell it.
    pub fn name(self) -> &'static str {
        serialized_name(&self)
    }
}

/// The outcome of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    pub run: String,
    /// The plan's step; empty outside of plans.
    pub step: String,
    /// Of a step, the plan's run.
    pub plan: Option<String>,
    /// [`step_digest`] of the run's task and hints.
    pub digest: String,
    /// Full hours since it started.
    pub age_hours: u32,
    pub kind: RunEnding,
    /// The files that its patches touched, sorted.
    pub touched: Vec<RepoPath>,
    /// Ids of the guards that rejected one of them, sorted.
    pub rejected_by: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEnding {
    /// Committed or staged.
    Accepted,
    /// No round was accepted.
    Rejected,
    /// It could not continue: no provider answered, or a budget was exceeded.
    Failed,
    /// Its user stopped it, or it was killed.
    Abandoned,
}

serialized_names!(RunEnding);

/// The outcomes of earlier runs in one repository.
pub trait RunHistory: Send + Sync {
    /// Newest first; at most `limit`, none older than `window_hours`. Without runs that are still running or changed nothing.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>>;
}
