//! The layers, with what they look at read from the repository: the same for every door.

use guardhost_core::change::{LayerReport, Oid, PastRun, RunHistory, Tree};
use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_policy::Policy;
use guardhost_policy::config::scope;
use guardhost_report::journal::RecordedRuns;

use super::layers::{LayerInput, RUNS, WINDOW_HOURS, apply};
use super::model::Plan;

/// Earlier runs of this repository, newest first.
pub fn past_runs(repo: &Repo) -> Result<Vec<PastRun>> {
    RecordedRuns { state_dir: repo.state_path() }.outcomes(WINDOW_HOURS, RUNS)
}

/// Applies the layers to a plan that is to be run on `tree`. Runs of the plans in `lineage` do not count as history: who resumes a plan asks
/// for its steps again.
///
/// # Errors
/// Of [`scope`], when there is none of that name; of the repository and the records.
pub fn layered(
    repo: &Repo,
    plan: &mut Plan,
    tree: Oid,
    policy: &Policy,
    lineage: &[String],
) -> Result<Vec<LayerReport>> {
    let scope = plan.context.scope.as_deref().map(|name| scope(name, &policy.config.rules.scopes)).transpose()?;
    let mut past = past_runs(repo)?;
    past.retain(|run| !run.plan.as_ref().is_some_and(|plan| lineage.contains(plan)));
    let tree = Tree { objects: repo.store(), oid: tree };
    apply(plan, &LayerInput { tree: &tree, scope: scope.as_ref(), past: &past })
}
