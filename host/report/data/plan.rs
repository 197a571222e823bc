//! `host run --plan`: the steps of a plan, each a run of its own.

use guardhost_core::change::{Judgement, LayerReport, Oid, StepOutcome};
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "plan")]
pub struct PlanReport {
    /// Run of the plan; each step has its own.
    #[serde(rename = "plan")]
    pub run: String,
    #[serde(with = "OptionalHex")]
    pub base: Option<Oid>,
    /// One commit for each accepted step.
    pub branch: String,
    /// The last.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// About the plan itself.
    #[serde(rename = "guards")]
    pub judgement: Judgement,
    /// [Layers](plans.md#layers) that did something.
    pub layers: Vec<LayerReport>,
    /// Those done before come first.
    pub steps: Vec<StepReport>,
    pub notices: Vec<String>,
    pub micros: u64,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "step")]
pub struct StepReport {
    pub id: String,
    pub title: String,
    pub outcome: StepOutcome,
    pub why: Option<String>,
    pub run: Option<String>,
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    pub rounds: usize,
    /// The step was rejected by a guard: not because a guard failed or the patch could not be placed.
    #[serde(skip)]
    pub is_rejected_by_guard: bool,
    /// 0 unless it was tried and not accepted.
    pub exit_code: u8,
    pub micros: u64,
}
