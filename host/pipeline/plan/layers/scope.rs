//! Steps outside of the scope are dropped.

use guardhost_core::change::{PlanEdit, RepoPath};
use guardhost_policy::config::ScopeRule;

use super::super::cited::repo_paths;
use super::super::model::{Plan, PlannedStep};
use super::super::tree_files::TreeFiles;
use super::live::live;

/// A step without hints is kept: the guard of the scope judges what it touches.
pub fn edits(plan: &Plan, files: &TreeFiles, scope: Option<&ScopeRule>) -> Vec<PlanEdit> {
    let Some(scope) = scope else { return Vec::new() };
    let cited = match scope.cited {
        true => repo_paths(&files.named_in(plan.context.task.as_deref().unwrap_or_default())),
        false => Vec::new(),
    };
    // A task that cites no file restricts nothing.
    let is_open = scope.cited && cited.is_empty();
    let allows = |hint: &RepoPath| is_open || cited.contains(hint) || scope.allows(hint);
    let objection = |step: &PlannedStep| {
        if !scope.actions.is_empty() && !scope.actions.contains(&step.action) {
            return Some(format!("the scope `{}` allows no step that would {}", scope.name, action_name(step.action)));
        }
        let outside: Vec<String> = step.hints.iter().filter(|hint| !allows(hint)).map(ToString::to_string).collect();
        (!outside.is_empty()).then(|| format!("{} is outside of the scope `{}`", outside.join(", "), scope.name))
    };
    live(plan).filter_map(|step| Some(PlanEdit::Drop { step: step.id.clone(), reason: objection(step)? })).collect()
}

/// Whether sources may be changed to make tests pass.
pub fn allows_sources(scope: Option<&ScopeRule>) -> bool {
    scope.is_none_or(|scope| scope.metrics.is_empty() || scope.metrics.iter().any(|metric| metric == "test_results"))
}

fn action_name(action: guardhost_core::change::StepAction) -> &'static str {
    use guardhost_core::change::StepAction;
    match action {
        StepAction::Create => "create files",
        StepAction::Modify => "modify files",
        StepAction::Delete => "delete files",
        StepAction::Verify => "verify files",
    }
}
