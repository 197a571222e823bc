//! A README is never a goal by itself: steps that only edit one are dropped, unless the README is what was found wanting or asked for.

use guardhost_core::change::{PlanEdit, StepAction};
use guardhost_policy::config::ScopeRule;

use super::super::model::{Plan, PlannedStep};
use super::live::live;

pub fn edits(plan: &Plan, scope: Option<&ScopeRule>) -> Vec<PlanEdit> {
    let is_asked_for = plan.context.task.as_ref().is_some_and(|task| task.to_lowercase().contains("readme"));
    if plan.context.fails("readme") || is_asked_for || scope.is_some_and(|scope| scope.readme_only) {
        return Vec::new();
    }
    let dropped = live(plan).filter(|step| edits_readme_only(step));
    dropped
        .map(|step| PlanEdit::Drop {
            step: step.id.clone(),
            reason: "it only edits a README, and no audit found fault with the README: with --scope docs it is kept"
                .to_owned(),
        })
        .collect()
}

fn edits_readme_only(step: &PlannedStep) -> bool {
    let is_readme = |name: &[u8]| {
        let name = name.to_ascii_lowercase();
        name == b"readme" || name.starts_with(b"readme.")
    };
    match step.action {
        // There is none yet.
        StepAction::Create => false,
        StepAction::Modify | StepAction::Delete | StepAction::Verify => {
            !step.hints.is_empty() && step.hints.iter().all(|hint| is_readme(hint.file_name()))
        }
    }
}
