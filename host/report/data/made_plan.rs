//! `host plan`: a plan that was made.

use guardhost_core::change::{LayerReport, RepoPath, StepAction, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What `host run --plan` [reads](plans.md#the-file).
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "madePlan")]
pub struct MadePlanReport {
    #[serde(flatten)]
    pub plan: WrittenPlan,
    pub run: String,
    #[serde(skip)]
    pub steps: Vec<PlanStepReport>,
    pub provider: String,
    pub model: Option<String>,
    /// 1, or 2 when the first reply was unusable.
    pub questions: usize,
    #[serde(skip)]
    pub spent: Usage,
    pub notices: Vec<String>,
    pub micros: u64,
}

/// A plan as a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "writtenPlan")]
pub struct WrittenPlan {
    pub tasks: Vec<WrittenTask>,
    /// `task`, `scope`, `failed_metrics`, `failing_tests`; each may be absent.
    pub context: Value,
    /// [Layers](plans.md#layers) that did something.
    pub layers: Vec<LayerReport>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "task")]
pub struct WrittenTask {
    pub id: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    pub metric: Option<String>,
    pub description: String,
    pub subtasks: Vec<WrittenStep>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "subtask")]
pub struct WrittenStep {
    pub id: String,
    pub title: String,
    pub description: String,
    pub file_hints: Vec<RepoPath>,
    pub action: StepAction,
    /// `pending`.
    pub status: &'static str,
}

/// A step as people see it.
#[derive(Debug, Clone, Default)]
pub struct PlanStepReport {
    pub id: String,
    pub task: String,
    pub title: String,
    pub action: &'static str,
    pub hints: Vec<String>,
    /// Why it was dropped.
    pub dropped: Option<String>,
}
