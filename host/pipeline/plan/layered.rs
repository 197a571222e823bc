//! The layers of the host, then the guards of the plan stage, with what they look at read from the repository: the same for every door.

use std::collections::BTreeSet;

use guardhost_core::change::{
    Failed, GuardVerdict, Judgement, LayerGuard, LayerReport, Mode, Oid, PastRun, PlanEdit, PlanLayer, RunHistory, Tree,
};
use guardhost_core::error::{Fault, FaultKind, Result};
#[cfg(doc)]
use guardhost_core::stop::Stopped;
use guardhost_engine::{GuardObjections, PlanJudgement, StepObjection, plan as ask_guards};
use guardhost_git::Repo;
use guardhost_policy::Policy;
use guardhost_policy::config::scope;
use guardhost_report::journal::RecordedRuns;

use super::layers::{LayerInput, RUNS, WINDOW_HOURS, apply, make};
use super::model::Plan;

/// What was tried before.
#[derive(Debug, Clone, Copy, Default)]
pub struct EarlierRuns<'a> {
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

/// What became of a plan.
#[derive(Debug, Clone, Default)]
pub struct Layered {
    /// Of each layer and each guard that did something, in order.
    pub reports: Vec<LayerReport>,
    /// What the guards of the plan stage said. A guard that failed has not allowed the plan.
    pub judgement: Judgement,
}

impl Layered {
    /// # Errors
    /// [`FaultKind::GuardLoad`], [`FaultKind::GuardRun`], [`FaultKind::Git`]: a guard of the plan stage failed, so that nobody knows what the team's own layer
    /// would have left of the plan.
    pub fn allowed(self) -> Result<Self> {
        let failed = self.judgement.evidence.iter().find_map(|evidence| match &evidence.verdict {
            GuardVerdict::Error { code, message, failed } if evidence.mode == Mode::Enforce => {
                Some((&evidence.id, code, message, *failed))
            }
            _ => None,
        });
        let Some((id, code, message, failed)) = failed else { return Ok(self) };
        let (kind, hint) = match failed {
            Failed::Load => (FaultKind::GuardLoad, "fix the guard or its pin, or take it out of guards.toml"),
            Failed::Run => (FaultKind::GuardRun, "fix the guard, or take it out of guards.toml"),
            Failed::Machine | Failed::PartialClone => (FaultKind::Git, "the guard is not to blame: see the message"),
        };
        Err(Fault::new(kind, format!("the guard `{id}` of the plan stage failed [{code}]: {message}"))
            .hint(hint)
            .into())
    }
}

/// Applies the layers to a plan that is to be run on `tree`, and asks the guards of the plan stage about what they left.
///
/// # Errors
/// Of [`scope`], when there is none of that name; of the repository and the records; [`Stopped`]. That a guard failed is in the judgement.
pub fn layered(repo: &Repo, plan: &mut Plan, tree: Oid, policy: &Policy, earlier: EarlierRuns<'_>) -> Result<Layered> {
    let scope = plan.context.scope.as_deref().map(|name| scope(name, &policy.config.rules.scopes)).transpose()?;
    // A model is not shown the failures of other metrics either, and a file may come with all of an audit.
    if let Some(scope) = &scope {
        plan.context.keep_to(&scope.metrics);
    }
    let mut past = past_runs(repo, earlier.elsewhere)?;
    past.retain(|run| !run.plan.as_ref().is_some_and(|plan| earlier.lineage.contains(plan)));
    let tree = Tree { objects: repo.store(), oid: tree };
    let input = LayerInput { tree: &tree, scope: scope.as_ref(), past: &past };
    let mut reports = apply(plan, &input)?;
    let PlanJudgement { judgement, objections } = ask_guards(&plan.requests(), &policy.guards);
    policy.guards.stop().check().map_err(|stopped| stopped.into_error("judging the plan"))?;
    let of_guards: Vec<LayerReport> = objections.into_iter().map(|said| report(plan, said)).collect();
    // No guard points a step to what does not exist, or out of the scope: the host's own layers look at it again.
    let again = if of_guards.is_empty() { Vec::new() } else { apply(plan, &input)? };
    reports.extend(of_guards.into_iter().chain(again));
    Ok(Layered { reports, judgement })
}

/// Does to the plan what a guard wants.
fn report(plan: &mut Plan, said: GuardObjections) -> LayerReport {
    let GuardObjections { guard: id, event, objections } = said;
    let edit = |StepObjection { step, reason, hints }: StepObjection| match hints {
        None => PlanEdit::Drop { step, reason },
        Some(after) => {
            let before = plan.steps().find(|(_, known)| known.id == step).map(|(_, known)| known.hints.clone());
            PlanEdit::RewriteHints { step, before: before.unwrap_or_default(), after, reason }
        }
    };
    let edits: Vec<PlanEdit> = objections.into_iter().map(edit).collect();
    make(plan, &edits);
    LayerReport { layer: PlanLayer::Guard, guard: Some(LayerGuard { id, event }), edits }
}
