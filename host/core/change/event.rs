//! The events of a run, in the order in which they happen.

use serde::Serialize;

use super::{
    AppliedFix, Budget, Evidence, LayerReport, MisfitAt, NoPatchKind, Note, PatchFormat, RefusedKind, RepoPath, RunEnd,
    Strategy, Touched, Usage,
};

/// Passed to every [`Observer`], in order. A trace is these, one JSON object a line, with `ts`, `run`, `round` and `seq`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    RunStarted {
        /// Every line of a trace has it.
        #[serde(skip)]
        run: String,
        repo: String,
        base: String,
        task: String,
        provider: String,
        guards: Vec<String>,
        rounds: u32,
        budget: Budget,
    },
    RoundStarted {
        /// Every line of a trace has it.
        #[serde(skip)]
        round: u32,
        rounds: u32,
    },
    Asking {
        provider: String,
        recorded: bool,
        /// The form of reply that is asked for and the version of the prompt's template: `unified-diff/3`.
        prompt: &'static str,
        prompt_bytes: u64,
    },
    /// The provider is working; shown live, not kept in the trace.
    #[serde(skip)]
    Progress {
        text: String,
    },
    /// `class` is provide's failure class; `next` names who is asked instead.
    ProviderFailed {
        provider: String,
        class: &'static str,
        message: String,
        next: Option<String>,
    },
    Replied {
        provider: String,
        model: Option<String>,
        bytes: u64,
        micros: u64,
        usage: Usage,
        recorded: bool,
    },
    /// What all answers took so far, beside what they may take; only in runs with a budget.
    Spent {
        spent: Usage,
        /// Wall time of the run.
        seconds: u64,
        budget: Budget,
    },
    #[serde(rename = "mended")]
    Repaired {
        notes: Vec<Note>,
    },
    Extracted {
        format: PatchFormat,
        files: Vec<RepoPath>,
        notes: Vec<Note>,
    },
    NoPatch {
        kind: NoPatchKind,
        message: String,
    },
    Sanitized {
        files: u64,
    },
    Refused {
        kind: RefusedKind,
        path: Option<RepoPath>,
        message: String,
    },
    Placed {
        tree: String,
        strategy: Option<Strategy>,
        touched: Vec<Touched>,
        notes: Vec<Note>,
    },
    Misfit {
        at: Vec<MisfitAt>,
    },
    Judging {
        guards: Vec<String>,
    },
    /// One for every guard, passes and skips included.
    Judged {
        #[serde(flatten)]
        evidence: Box<Evidence>,
    },
    /// Every error has a fix, and the change with all of them is about to be judged. `fixes` are those of this pass.
    Fixing {
        fixes: Vec<AppliedFix>,
        tree: String,
    },
    /// The guards accept it with these fixes, and so it goes on in the place of what came.
    Fixed {
        fixes: Vec<AppliedFix>,
        tree: String,
        touched: Vec<Touched>,
        #[serde(skip)]
        notes: Vec<Note>,
    },
    /// There were fixes, and the change stays as it came.
    NotFixed {
        why: String,
    },
    /// The candidate is about to be written as objects; nothing refers to them yet.
    Settling {
        tree: String,
    },
    Committed {
        branch: String,
        commit: String,
    },
    /// An accepted candidate is in the index and the work tree.
    Staged {
        tree: String,
    },
    /// The feedback that the next round gets.
    Feedback {
        text: String,
    },
    /// The rejected attempt stays reachable under this ref.
    RejectedKept {
        reference: String,
    },
    /// The same patch with the same findings came twice: another round would bring nothing.
    Cycle {
        guards: Vec<String>,
    },
    RunEnded {
        outcome: RunEnd,
        commit: Option<String>,
        rounds: u32,
        micros: u64,
    },
    /// A layer changed the plan.
    #[serde(skip)]
    PlanLayered {
        /// The trace has its edits, under the event that it names.
        report: LayerReport,
    },
    /// The scope hides metrics of the audit from the planner, and from the layers.
    #[serde(rename = "scope.metrics_filtered")]
    MetricsScoped {
        scope: String,
        kept: Vec<String>,
        dropped: Vec<String>,
    },
    /// A step of a plan, or a batch of issues, came to no commit. It is in the trace of the step's own run.
    #[serde(rename = "worker.subtask.failed")]
    StepFailed {
        plan: String,
        step: String,
        outcome: RunEnd,
        error: String,
    },
    /// What was made of critics' objections takes the place of what was there.
    #[serde(rename = "critic_refiner.kept")]
    RefinementKept {
        commit: String,
        paths: Vec<RepoPath>,
    },
    /// What was there stays.
    #[serde(rename = "critic_refiner.reverted")]
    RefinementReverted {
        rationale: String,
    },
    /// The error that ends the run. Who asked for the run is given the error itself, and shows it.
    #[serde(rename = "notice")]
    Failed {
        /// The trace has had no name of its own for it.
        #[serde(rename = "text")]
        error: String,
    },
    /// Something worth knowing that changes nothing.
    Notice {
        text: String,
    },
}

/// Sees every event, in order, from one thread at a time. Must not fail: what it cannot write it drops, and says so at the end.
pub trait Observer: Send + Sync {
    fn see(&self, event: &Event);

    /// A step of placing a change in files, right after it. Tests end the process there.
    fn disk(&self, _: &DiskStep<'_>) {}
}

/// What was done to files of a repository.
#[derive(Debug, Clone, Copy)]
pub enum DiskStep<'a> {
    /// A name was made, moved or removed.
    Changed,
    /// The content of this file, or the names in this directory, would survive a loss of power.
    Synced(&'a std::path::Path),
}

/// Ignores every event.
pub struct NullObserver;

impl Observer for NullObserver {
    fn see(&self, _: &Event) {}
}

/// Shows the event to every observer, in order.
pub fn observe(observers: &[&dyn Observer], event: &Event) {
    for observer in observers {
        observer.see(event);
    }
}
