//! What the host does to every plan before its first step, whichever door it came by: a model, a file, a resumed run, an agent over MCP.
//!
//! The layers are applied once each, in the order of [`PlanLayer::ORDER`]. Each is a pure function of the plan, the tree that it is for,
//! and the records of this repository, and none undoes what another one did: applied to its own result, the sequence changes nothing.

mod failing_tests;
mod ground;
mod history;
mod live;
mod readme_only;
mod scope;
mod tests_to_sources;

pub use history::{RUNS, WINDOW_HOURS};

use guardhost_core::change::{LayerReport, PastRun, PlanEdit, PlanLayer, Tree};
use guardhost_core::error::Result;
use guardhost_policy::config::ScopeRule;

use super::model::Plan;
use super::tree_files::TreeFiles;

/// What the layers look at beside the plan.
pub struct LayerInput<'a> {
    pub tree: &'a Tree,
    /// The scope that the plan's context names.
    pub scope: Option<&'a ScopeRule>,
    /// Earlier runs of this repository, newest first.
    pub past: &'a [PastRun],
}

/// Applies the layers. Dropped steps stay in the plan, with the reason; reports are of those layers that did something.
///
/// # Errors
/// Of the repository.
pub fn apply(plan: &mut Plan, input: &LayerInput) -> Result<Vec<LayerReport>> {
    let files = TreeFiles::read(input.tree)?;
    let mut reports = Vec::new();
    for layer in PlanLayer::ORDER {
        let edits = match layer {
            PlanLayer::Ground => ground::edits(plan, &files),
            PlanLayer::FailingTests => failing_tests::edits(plan, &files, input.scope)?,
            PlanLayer::TestsToSources => tests_to_sources::edits(plan, &files, input.scope)?,
            PlanLayer::ReadmeOnly => readme_only::edits(plan, input.scope),
            PlanLayer::Scope => scope::edits(plan, &files, input.scope),
            PlanLayer::History => history::edits(plan, input.past),
            // Guards plan after all layers, so they have no place in this order.
            PlanLayer::Guard => Vec::new(),
        };
        make(plan, &edits);
        if !edits.is_empty() {
            reports.push(LayerReport { layer, guard: None, edits });
        }
    }
    Ok(reports)
}

/// What the layer of the ground alone would object to, for the question that goes back to the planner.
///
/// # Errors
/// Of the repository.
pub fn objections_to_paths(plan: &Plan, tree: &Tree) -> Result<Vec<String>> {
    let edits = ground::edits(plan, &TreeFiles::read(tree)?);
    let objection = |edit: &PlanEdit| match edit {
        PlanEdit::Drop { step, reason } | PlanEdit::RewriteHints { step, reason, .. } => {
            Some(format!("{step}: {reason}"))
        }
        PlanEdit::Insert { .. } => None,
    };
    Ok(edits.iter().filter_map(objection).collect())
}

/// Insertions were made by the layer itself, which knows the task.
pub(super) fn make(plan: &mut Plan, edits: &[PlanEdit]) {
    for edit in edits {
        match edit {
            PlanEdit::Drop { step, reason } => {
                plan.steps_mut().filter(|known| known.id == *step).for_each(|step| step.dropped = Some(reason.clone()));
            }
            PlanEdit::RewriteHints { step, after, .. } => {
                plan.steps_mut().filter(|known| known.id == *step).for_each(|step| step.hints.clone_from(after));
            }
            PlanEdit::Insert { .. } => {}
        }
    }
}
