//! `host run --plan`: the steps of a plan, each a run of its own.

use guardhost_core::change::{Judgement, LayerReport, Oid, StepOutcome};
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a plan.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "plan")]
pub struct PlanReport {
    /// The id of the plan's own run; each step that was tried has another.
    #[serde(rename = "plan")]
    pub run: String,
    /// The commit that the plan started from.
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// The plan's branch: one commit for each accepted step.
    pub branch: String,
    /// The last of these commits; `null` when no step was accepted.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// What the guards said about the plan itself.
    #[serde(rename = "guards")]
    pub judgement: Judgement,
    /// What the [layers](plans.md#layers) did, in their order; those that did nothing are left out.
    pub layers: Vec<LayerReport>,
    /// In the order of the plan, steps that were done before first.
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
    /// The id of the step's own run; `null` when the step was not tried.
    pub run: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// The step was rejected by a guard: not because a guard failed or the patch could not be placed.
    #[serde(skip)]
    pub is_rejected_by_guard: bool,
    /// The exit code of `host run` for this step alone; 0 unless the step was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}
