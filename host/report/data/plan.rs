//! `host run --plan`: the steps of a plan, each a run of its own.

use guardhost_core::change::{Judgement, LayerReport, Oid, StepOutcome};

/// What became of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanReport {
    /// The id of the plan's own run; each step that was tried has another.
    pub run: String,
    pub base: Option<Oid>,
    /// The plan's branch: one commit for each accepted step.
    pub branch: String,
    /// The last of these commits; None when no step was accepted.
    pub commit: Option<Oid>,
    /// What the layers did to the plan, in their order; those that did nothing are left out.
    pub layers: Vec<LayerReport>,
    /// Verdicts of the guards of the plan stage.
    pub judgement: Judgement,
    /// In the order of the plan.
    pub steps: Vec<StepReport>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What became of one step.
#[derive(Debug, Clone, Default)]
pub struct StepReport {
    pub id: String,
    pub title: String,
    pub outcome: StepOutcome,
    /// Why the step was not accepted.
    pub why: Option<String>,
    /// None when the step was not tried.
    pub run: Option<String>,
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// The step was rejected by a guard: not because a guard failed or the patch could not be placed.
    pub is_rejected_by_guard: bool,
    /// The exit code of `host run` for this step alone; 0 unless the step was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}
