//! Hints have to fit the tree. Whether a path exists is looked up, never asked of a model.

use std::collections::BTreeSet;

use guardhost_core::change::{PlanEdit, RepoPath, StepAction};

use super::super::model::Plan;
use super::super::tree_files::TreeFiles;
use super::live::live;

/// What earlier steps of the plan make and delete counts as if it were done.
pub fn edits(plan: &Plan, files: &TreeFiles) -> Vec<PlanEdit> {
    let mut made: BTreeSet<String> = BTreeSet::new();
    let mut gone: BTreeSet<String> = BTreeSet::new();
    let mut edits = Vec::new();
    for step in live(plan) {
        let exists = |hint: &RepoPath| {
            let Some(path) = hint.as_str() else { return false };
            let path = path.trim_end_matches('/');
            let is_made =
                made.iter().any(|new| new == path || new.strip_prefix(path).is_some_and(|r| r.starts_with('/')));
            is_made || (files.has_any(path) && !gone.contains(path))
        };
        let edit = match step.action {
            StepAction::Create if !step.hints.is_empty() && step.hints.iter().all(exists) => Some(PlanEdit::Drop {
                step: step.id.clone(),
                reason: format!("it creates {}, which exists: use the action `modify` to change it", list(&step.hints)),
            }),
            StepAction::Create => None,
            StepAction::Modify | StepAction::Delete | StepAction::Verify => {
                let (real, invented): (Vec<_>, Vec<_>) = step.hints.iter().cloned().partition(exists);
                match (real.is_empty(), invented.is_empty()) {
                    (_, true) => None,
                    (true, false) => Some(PlanEdit::Drop { step: step.id.clone(), reason: absent(&invented, files) }),
                    (false, false) => Some(PlanEdit::RewriteHints {
                        step: step.id.clone(),
                        before: step.hints.clone(),
                        after: real,
                        reason: absent(&invented, files),
                    }),
                }
            }
        };
        let is_dropped = matches!(edit, Some(PlanEdit::Drop { .. }));
        let paths =
            step.hints.iter().filter_map(|hint| hint.as_str()).map(|path| path.trim_end_matches('/').to_owned());
        match step.action {
            _ if is_dropped => {}
            StepAction::Create => paths.for_each(|path| {
                gone.remove(&path);
                made.insert(path);
            }),
            StepAction::Delete => paths.for_each(|path| {
                made.remove(&path);
                gone.insert(path);
            }),
            StepAction::Modify | StepAction::Verify => {}
        }
        edits.extend(edit);
    }
    edits
}

fn list(paths: &[RepoPath]) -> String {
    paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn absent(invented: &[RepoPath], files: &TreeFiles) -> String {
    let sentence = |path: &RepoPath| {
        let path = path.to_string();
        match files.nearest(&path) {
            near if near.is_empty() => format!("{path} does not exist: use the action `create` to make it"),
            near => format!("{path} does not exist; the nearest is {}", near.join(", ")),
        }
    };
    invented.iter().map(sentence).collect::<Vec<_>>().join("; ")
}
