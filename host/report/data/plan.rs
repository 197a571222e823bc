//! `host run --plan`: the steps of a plan, each a run of its own.

use guardhost_core::change::{Judgement, LayerReport, Oid, StepOutcome};
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a plan.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "plan")]
pub struct PlanReport {
    /// The id of the plan's run; each step has another.
    #[serde(rename = "plan")]
    pub run: String,
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// One commit for each accepted step.
    pub branch: String,
    /// The last; `null` when no step was accepted.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// About the plan itself.
    #[serde(rename = "guards")]
    pub judgement: Judgement,
    /// What the [layers](plans.md#layers) did, those that did nothing left out.
    pub layers: Vec<LayerReport>,
    /// In the order of the plan; those done before come first.
    pub steps: Vec<StepReport>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// What became of one step.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "step")]
pub struct StepReport {
    pub id: String,
    pub title: String,
    pub outcome: StepOutcome,
    /// Why the step was not accepted.
    pub why: Option<String>,
    /// The step's own; `null` when it was not tried.
    pub run: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// The step was rejected by a guard: not because a guard failed or the patch could not be placed.
    #[serde(skip)]
    pub is_rejected_by_guard: bool,
    /// Of `host run` for this step; 0 unless it was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}
