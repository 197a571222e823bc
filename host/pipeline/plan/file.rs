//! The JSON of a plan as planners write it. Planner-internal fields (scores, models) are ignored; any other unknown
//! field is an error, because its meaning would be lost.

use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `tasks`")]
pub(super) struct File {
    pub tasks: Vec<Task>,
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
pub(super) struct Task {
    pub id: Option<String>,
    #[serde(default)]
    pub title: String,
    /// The smallest first.
    #[serde(default = "last")]
    pub priority: i64,
    #[serde(default)]
    pub description: String,
    pub subtasks: Vec<Subtask>,
    #[serde(default, rename = "metric")]
    _metric: Option<IgnoredAny>,
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
    pub action: Action,
    #[serde(default)]
    pub status: Status,
    #[serde(default, rename = "commit_sha")]
    _commit_sha: Option<IgnoredAny>,
    #[serde(default, rename = "error")]
    _error: Option<IgnoredAny>,
}

/// A task without a priority comes after those with one.
fn last() -> i64 {
    i64::MAX
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Create,
    #[default]
    Modify,
    Delete,
    Verify,
}

impl Action {
    /// For the provider; an ordinary change needs no words.
    pub fn instruction(self) -> &'static str {
        match self {
            Action::Modify => "",
            Action::Create => "Create what is named here; it is not there yet.",
            Action::Delete => "Delete what is named here.",
            Action::Verify => "Look whether this holds already, and change something only if it does not.",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    #[default]
    Pending,
    InProgress,
    Completed,
    Failed,
    Skipped,
}

impl Status {
    /// The word for a step that is not to be done any more.
    pub fn is_over(self) -> Option<&'static str> {
        match self {
            Status::Completed => Some("completed"),
            Status::Skipped => Some("skipped"),
            Status::Pending | Status::InProgress | Status::Failed => None,
        }
    }
}
