//! `host plan`: a plan that was made.

use guardhost_core::change::{LayerReport, RepoPath, StepAction, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A plan after its layers: the file that `host run --plan` [reads](plans.md#the-file).
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "madePlan")]
pub struct MadePlanReport {
    #[serde(flatten)]
    pub plan: WrittenPlan,
    /// The run in which it was made.
    pub run: String,
    #[serde(skip)]
    pub steps: Vec<PlanStepReport>,
    /// The provider that answered.
    pub provider: String,
    /// Its model where it names one.
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
    /// Empty when the layers left nothing to do.
    pub tasks: Vec<WrittenTask>,
    /// `task`, `scope`, `failed_metrics`, `failing_tests`; each may be absent.
    pub context: Value,
    /// What the [layers](plans.md#layers) did, those that did nothing left out.
    pub layers: Vec<LayerReport>,
}

/// A task of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "task")]
pub struct WrittenTask {
    pub id: String,
    pub title: String,
    /// Absent for a task that has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    pub metric: Option<String>,
    pub description: String,
    pub subtasks: Vec<WrittenStep>,
}

/// A step of a task.
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
