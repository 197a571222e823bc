//! Steps that would only edit the failing tests are pointed to the sources under test.

use guardhost_core::change::{PlanEdit, StepAction};
use guardhost_core::error::Result;
use guardhost_policy::config::ScopeRule;

use super::super::cited::repo_paths;
use super::super::model::{Plan, PlannedStep};
use super::super::sources::test_path::is_test;
use super::super::sources::under_test;
use super::super::tree_files::TreeFiles;
use super::live::{failing_sources, live};

/// Of every task. A step that adds tests, or edits tests that pass, is left alone.
pub fn edits(plan: &Plan, files: &TreeFiles, scope: Option<&ScopeRule>) -> Result<Vec<PlanEdit>> {
    if !plan.context.fails("test_results") || !super::scope::allows_sources(scope) {
        return Ok(Vec::new());
    }
    let failing: Vec<&str> = plan.context.failing_tests.iter().filter_map(|test| test.path.as_deref()).collect();
    let mut edits = Vec::new();
    for step in live(plan).filter(|step| is_about_tests_only(step)) {
        let hints: Vec<&str> = step.hints.iter().filter_map(|hint| hint.as_str()).collect();
        let hints =
            hints.into_iter().flat_map(|hint| if files.has(hint) { vec![hint] } else { files.below(hint).collect() });
        let hints: Vec<&str> = hints.collect();
        if !hints.iter().any(|hint| failing.contains(hint)) {
            continue;
        }
        let mut sources = Vec::new();
        for hint in hints.iter().filter(|hint| failing.contains(hint)) {
            let named = plan.context.failing_tests.iter().filter(|test| test.path.as_deref() == Some(hint));
            let named: Vec<String> =
                named.flat_map(|test| &test.named).filter(|path| files.has(path)).cloned().collect();
            sources.extend(if named.is_empty() { under_test(hint, files)? } else { named });
        }
        if sources.is_empty() {
            sources = failing_sources(plan, files)?;
        }
        let mut after = repo_paths(&sources);
        after.dedup();
        if !after.is_empty() {
            edits.push(PlanEdit::RewriteHints {
                step: step.id.clone(),
                before: step.hints.clone(),
                after,
                reason: "its tests fail, and what they are about is the source".to_owned(),
            });
        }
    }
    Ok(edits)
}

fn is_about_tests_only(step: &PlannedStep) -> bool {
    let is_edit = match step.action {
        StepAction::Modify | StepAction::Verify => true,
        StepAction::Create | StepAction::Delete => false,
    };
    // A folder of tests is named `tests`.
    let is_test = |path: &str| is_test(path) || is_test(&format!("{}/x", path.trim_end_matches('/')));
    is_edit && !step.hints.is_empty() && step.hints.iter().all(|hint| hint.as_str().is_some_and(is_test))
}
