//! A failing test that no step cares for becomes the first task, on the source under test.

use guardhost_core::change::{PlanEdit, RepoPath, StepAction};
use guardhost_core::error::Result;
use guardhost_policy::config::ScopeRule;

use super::super::cited::repo_paths;
use super::super::context::FailingTest;
use super::super::model::{Plan, PlanTask, PlannedStep, TESTS_METRIC, TESTS_TASK};
use super::super::tree_files::TreeFiles;
use super::live::{failing_sources, live};
use super::tests_to_sources;

/// Steps of the task.
const STEPS: usize = 4;
/// Tests that the description names.
const NAMED: usize = 12;

/// Inserts the task, unless a step hints at one of the sources already, or will after the next layer.
pub fn edits(plan: &mut Plan, files: &TreeFiles, scope: Option<&ScopeRule>) -> Result<Vec<PlanEdit>> {
    if !plan.context.fails(TESTS_METRIC) || !super::scope::allows_sources(scope) {
        return Ok(Vec::new());
    }
    let mut sources = failing_sources(plan, files)?;
    let mut hinted: Vec<RepoPath> = live(plan).flat_map(|step| step.hints.clone()).collect();
    for edit in tests_to_sources::edits(plan, files, scope)? {
        if let PlanEdit::RewriteHints { after, .. } = edit {
            hinted.extend(after);
        }
    }
    let is_hinted = |source: &String| hinted.contains(&RepoPath::from(source.as_str()));
    if sources.is_empty() || sources.iter().any(is_hinted) {
        return Ok(Vec::new());
    }
    sources.truncate(STEPS);
    let first = plan.tasks.first().map_or(1, |task| task.priority).min(1);
    let task =
        PlanTask { priority: first.saturating_sub(1), ..task(free_id(plan), &sources, &plan.context.failing_tests) };
    let count = plan.context.failing_tests.len();
    let reason = format!(
        "{count} failing {} {}, and no step of the plan changes the source",
        if count == 1 { "test is about" } else { "tests are about" },
        sources.join(", ")
    );
    let inserted = task.steps.iter().map(|step| PlanEdit::Insert { step: step.id.clone(), reason: reason.clone() });
    let edits = inserted.collect();
    plan.tasks.insert(0, task);
    Ok(edits)
}

fn task(id: String, sources: &[String], tests: &[FailingTest]) -> PlanTask {
    let names = tests.iter().take(NAMED).map(|test| format!("- {}", test.id)).collect::<Vec<_>>().join("\n");
    let step = |(number, source): (usize, &String)| PlannedStep {
        id: format!("{id}-S{:02}", number + 1),
        title: format!("Fix {source}, so that the failing tests pass"),
        description: "Change the source, not the tests.".to_owned(),
        hints: repo_paths(std::slice::from_ref(source)),
        action: StepAction::Modify,
        dropped: None,
    };
    PlanTask {
        title: "Make the failing tests pass".to_owned(),
        priority: 0,
        metric: Some(TESTS_METRIC.to_owned()),
        description: format!("These tests fail:\n{names}"),
        steps: sources.iter().enumerate().map(step).collect(),
        id,
    }
}

/// `T000`, unless the plan has a task or a step of that name.
fn free_id(plan: &Plan) -> String {
    let is_taken = |id: &str| {
        plan.tasks.iter().any(|task| task.id == id)
            || plan.steps().any(|(_, step)| step.id.starts_with(id))
            || plan.done.iter().any(|(done, _)| done.starts_with(id))
    };
    let free = |suffix: String| Some(format!("{TESTS_TASK}{suffix}")).filter(|id| !is_taken(id));
    std::iter::once(String::new())
        .chain((b'a'..=b'z').map(|c| char::from(c).to_string()))
        .find_map(free)
        .unwrap_or_default()
}
