//! A plan as JSON, in the form that `read` reads.

use guardhost_core::change::LayerReport;
use guardhost_report::json::plan::layers;
use serde_json::{Value, json};

use super::file::LAST;
use super::model::{Plan, PlanTask, Step};

/// `tasks`, `context` and `layers`, what the layers did to it so far. Steps that were dropped are left out, and tasks without a step.
pub fn json(plan: &Plan, done: &[LayerReport]) -> Value {
    let tasks = plan.tasks.iter().map(task).filter(|task| task["subtasks"].as_array().is_some_and(|s| !s.is_empty()));
    json!({ "tasks": tasks.collect::<Vec<_>>(), "context": plan.context, "layers": layers(done) })
}

fn task(task: &PlanTask) -> Value {
    let mut value = json!({
        "id": task.id,
        "title": task.title,
        "priority": task.priority,
        "metric": task.metric,
        "description": task.description,
        "subtasks": task.steps.iter().filter(|step| step.dropped.is_none()).map(step).collect::<Vec<_>>(),
    });
    if let (LAST, Some(fields)) = (task.priority, value.as_object_mut()) {
        fields.remove("priority");
    }
    value
}

fn step(step: &Step) -> Value {
    json!({
        "id": step.id,
        "title": step.title,
        "description": step.description,
        "file_hints": step.hints.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "action": step.action,
        "status": "pending",
    })
}
