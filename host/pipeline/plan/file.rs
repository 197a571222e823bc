//! The JSON of a plan as planners write it. Planner-internal fields (scores, models) are ignored; any other unknown
//! field is an error, because its meaning would be lost.

use guardhost_core::change::StepAction;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::context::PlanContext;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `tasks`")]
pub(super) struct PlanFile {
    pub tasks: Vec<PlanFileTask>,
    /// What the plan was made from; plans of `host plan` have it.
    #[serde(default)]
    pub context: PlanContext,
    /// What the layers did already; plans of `host plan` have it, and may be empty.
    #[serde(default)]
    pub layers: Option<IgnoredAny>,
    #[serde(default, rename = "run")]
    _run: Option<IgnoredAny>,
    #[serde(default, rename = "provider")]
    _provider: Option<IgnoredAny>,
    #[serde(default, rename = "model")]
    _model: Option<IgnoredAny>,
    #[serde(default, rename = "questions")]
    _questions: Option<IgnoredAny>,
    #[serde(default, rename = "notices")]
    _notices: Option<IgnoredAny>,
    #[serde(default, rename = "micros")]
    _micros: Option<IgnoredAny>,
    #[serde(default, rename = "schema_version")]
    _schema_version: Option<IgnoredAny>,
    #[serde(default, rename = "created_at")]
    _created_at: Option<IgnoredAny>,
    #[serde(default, rename = "overall_score_before")]
    _overall_score_before: Option<IgnoredAny>,
    #[serde(default, rename = "llm_model")]
    _llm_model: Option<IgnoredAny>,
    #[serde(default, rename = "worker_model")]
    _worker_model: Option<IgnoredAny>,
    #[serde(default, rename = "review_model")]
    _review_model: Option<IgnoredAny>,
    #[serde(default, rename = "review_models")]
    _review_models: Option<IgnoredAny>,
    #[serde(default, rename = "review_min_agree")]
    _review_min_agree: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a task: an object with `subtasks`")]
pub(super) struct PlanFileTask {
    pub id: Option<String>,
    #[serde(default)]
    pub title: String,
    /// The smallest first.
    #[serde(default = "last")]
    pub priority: i64,
    #[serde(default)]
    pub description: String,
    pub subtasks: Vec<Subtask>,
    /// Anything: planners write numbers too.
    #[serde(default)]
    pub metric: Option<serde_json::Value>,
    #[serde(default, rename = "status")]
    _status: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a subtask: an object with a `title`")]
pub(super) struct Subtask {
    pub id: Option<String>,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub file_hints: Vec<String>,
    #[serde(default)]
    pub action: StepAction,
    #[serde(default)]
    pub status: PlanFileStatus,
    #[serde(default, rename = "commit_sha")]
    _commit_sha: Option<IgnoredAny>,
    #[serde(default, rename = "error")]
    _error: Option<IgnoredAny>,
}

/// A task without a priority comes after those with one.
pub(super) const LAST: i64 = i64::MAX;

fn last() -> i64 {
    LAST
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlanFileStatus {
    #[default]
    Pending,
    InProgress,
    Completed,
    Failed,
    Skipped,
}

impl PlanFileStatus {
    /// The word for a step that is not to be done any more.
    pub fn is_over(self) -> Option<&'static str> {
        match self {
            PlanFileStatus::Completed => Some("completed"),
            PlanFileStatus::Skipped => Some("skipped"),
            PlanFileStatus::Pending | PlanFileStatus::InProgress | PlanFileStatus::Failed => None,
        }
    }
}
