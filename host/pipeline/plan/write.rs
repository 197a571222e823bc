//! A plan as a file, in the form that `read` reads.

use guardhost_core::change::LayerReport;
use guardhost_report::{WrittenPlan, WrittenStep, WrittenTask};
use serde_json::{Value, json};

use super::file::LAST;
use super::model::{Plan, PlanTask, PlannedStep};

/// The bytes of the file are this, on one line.
pub fn json(plan: &Plan, done: &[LayerReport]) -> Value {
    json!(written(plan, done))
}

/// `done` is what the layers did to it so far. Steps that were dropped are left out, and tasks without a step.
pub fn written(plan: &Plan, done: &[LayerReport]) -> WrittenPlan {
    let tasks = plan.tasks.iter().map(task).filter(|task| !task.subtasks.is_empty());
    WrittenPlan { tasks: tasks.collect(), context: json!(plan.context), layers: done.to_vec() }
}

fn task(task: &PlanTask) -> WrittenTask {
    WrittenTask {
        id: task.id.clone(),
        title: task.title.clone(),
        priority: Some(task.priority).filter(|priority| *priority != LAST),
        metric: task.metric.clone(),
        description: task.description.clone(),
        subtasks: task.steps.iter().filter(|step| step.dropped.is_none()).map(step).collect(),
    }
}

fn step(step: &PlannedStep) -> WrittenStep {
    WrittenStep {
        id: step.id.clone(),
        title: step.title.clone(),
        description: step.description.clone(),
        file_hints: step.hints.clone(),
        action: step.action,
        status: "pending",
    }
}
