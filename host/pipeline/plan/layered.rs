//! The layers, with what they look at read from the repository: the same for every door.

use std::collections::BTreeSet;

use guardhost_core::change::{LayerReport, Oid, PastRun, RunHistory, Tree};
use guardhost_core::error::Result;
use guardhost_git::Repo;
use guardhost_policy::Policy;
use guardhost_policy::config::scope;
use guardhost_report::journal::RecordedRuns;

use super::layers::{LayerInput, RUNS, WINDOW_HOURS, apply};
use super::model::Plan;

/// What was tried before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Earlier<'a> {
    /// Runs of plans that this one takes up. They do not count as history: who resumes a plan asks for its steps again.
    pub lineage: &'a [String],
    /// Runs of the same repository elsewhere, as an observer tells.
    pub elsewhere: &'a [PastRun],
}

/// Earlier runs of this repository, here and elsewhere, newest first.
pub fn past_runs(repo: &Repo, elsewhere: &[PastRun]) -> Result<Vec<PastRun>> {
    let mut past = RecordedRuns { state_dir: repo.state_path() }.outcomes(WINDOW_HOURS, RUNS)?;
    let known: BTreeSet<String> = past.iter().map(|run| run.run.clone()).collect();
    past.extend(elsewhere.iter().filter(|run| !known.contains(&run.run)).cloned());
    // Ids begin with the time at which the run began, to the millisecond; the age has full hours.
    past.sort_by(|a, b| (a.age_hours, &b.run).cmp(&(b.age_hours, &a.run)));
    Ok(past)
}

/// Applies the layers to a plan that is to be run on `tree`.
///
/// # Errors
/// Of [`scope`], when there is none of that name; of the repository and the records.
pub fn layered(
    repo: &Repo,
    plan: &mut Plan,
    tree: Oid,
    policy: &Policy,
    earlier: Earlier<'_>,
) -> Result<Vec<LayerReport>> {
    let scope = plan.context.scope.as_deref().map(|name| scope(name, &policy.config.rules.scopes)).transpose()?;
    // A model is not shown the failures of other metrics either, and a file may come with all of an audit.
    if let Some(scope) = &scope {
        plan.context.keep_to(&scope.metrics);
    }
    let mut past = past_runs(repo, earlier.elsewhere)?;
    past.retain(|run| !run.plan.as_ref().is_some_and(|plan| earlier.lineage.contains(plan)));
    let tree = Tree { objects: repo.store(), oid: tree };
    apply(plan, &LayerInput { tree: &tree, scope: scope.as_ref(), past: &past })
}
