//! Input of the plan stage: the steps of a plan, and the outcomes of earlier runs.

use serde::{Deserialize, Serialize};

use super::RepoPath;
use crate::error::Result;

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

/// A deterministic layer between the planner and the first step, in the order in which they are applied. The guards of the plan stage
/// that `guards.toml` pins come after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlanLayer {
    /// Hints have to fit the tree: what is modified or deleted exists, what is created does not.
    Ground,
    /// A failing test that no step cares for becomes the first task, on the source under test.
    FailingTests,
    /// Steps that would only edit the failing tests are pointed to the sources under test.
    TestsToSources,
    /// Steps that only edit a README are dropped, unless the README is what was found wanting.
    ReadmeOnly,
    /// Steps outside of the scope are dropped.
    Scope,
    /// Steps that were rejected here before, and would be again, are dropped.
    History,
    /// A guard of the plan stage that `guards.toml` pins: a team's own layer.
    Guard,
}

impl StepAction {
    /// As plans spell it.
    pub fn name(self) -> &'static str {
        match self {
            StepAction::Create => "create",
            StepAction::Modify => "modify",
            StepAction::Delete => "delete",
            StepAction::Verify => "verify",
        }
    }
}

impl PlanLayer {
    /// Those of the host; guards come after them, in the order of `guards.toml`.
    pub const ORDER: [PlanLayer; 6] = [
        PlanLayer::Ground,
        PlanLayer::FailingTests,
        PlanLayer::TestsToSources,
        PlanLayer::ReadmeOnly,
        PlanLayer::Scope,
        PlanLayer::History,
    ];

    /// As reports spell it.
    pub fn name(self) -> &'static str {
        match self {
            PlanLayer::Ground => "ground",
            PlanLayer::FailingTests => "failing-tests",
            PlanLayer::TestsToSources => "tests-to-sources",
            PlanLayer::ReadmeOnly => "readme-only",
            PlanLayer::Scope => "scope",
            PlanLayer::History => "history",
            PlanLayer::Guard => "guard",
        }
    }

    /// The event of the trace that says what it did. A guard may name one of its own: see [`LayerReport::event`].
    pub fn event(self) -> &'static str {
        match self {
            PlanLayer::Ground => "plan.grounded",
            PlanLayer::FailingTests => "plan.real_bug_synthesized",
            PlanLayer::TestsToSources => "plan.occam_rewrite",
            PlanLayer::ReadmeOnly => "plan.readme_banished",
            PlanLayer::Scope => "scope.plan_filtered",
            PlanLayer::History => "plan.occam_filter",
            PlanLayer::Guard => "plan.guard_filtered",
        }
    }
}

/// What a layer does to one step. Steps are named by their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanEdit {
    Drop { step: String, reason: String },
    RewriteHints { step: String, before: Vec<RepoPath>, after: Vec<RepoPath>, reason: String },
    Insert { step: String, reason: String },
}

/// What one layer did to a plan; at least one edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerReport {
    pub layer: PlanLayer,
    /// Of [`PlanLayer::Guard`], which one.
    pub guard: Option<LayerGuard>,
    pub edits: Vec<PlanEdit>,
}

/// A guard of the plan stage that did something to a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerGuard {
    pub id: String,
    /// The event that its description names; empty when it names none.
    pub event: String,
}

impl LayerReport {
    /// The event of the trace that says what it did.
    pub fn event(&self) -> &str {
        let own = self.guard.as_ref().map(|guard| guard.event.as_str()).filter(|event| !event.is_empty());
        own.unwrap_or(self.layer.event())
    }

    /// As people read it: the id of a guard, or the layer's name.
    pub fn name(&self) -> &str {
        self.guard.as_ref().map_or(self.layer.name(), |guard| &guard.id)
    }
}

/// What a step does to the files that it hints at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepAction {
    Create,
    #[default]
    Modify,
    Delete,
    Verify,
}

/// The outcome of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    pub run: String,
    /// The plan's step; empty outside of plans.
    pub step: String,
    /// The run of the plan that it was a step of.
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

/// The outcomes of earlier runs in one repository.
pub trait RunHistory: Send + Sync {
    /// Newest first; at most `limit`, none older than `window_hours`. Without runs that are still running or changed nothing.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>>;
}
