//! What an observer tells for plans: runs of the same repository on other machines, for the layer that looks at history, and facts of the
//! tree.

use guardhost_core::change::{AttemptOutcome, Oid, PastRun, RepoPath, RunEnding};
use guardhost_git::Repo;
use guardhost_observer::wire::{DeclaredDependencies, Observation, TreeFacts};
use guardhost_pipeline::plan::ask::SharedFacts;
use guardhost_pipeline::plan::layers::WINDOW_HOURS;
use jiff::Timestamp;

use super::{client_of, identity::identity, notice, settings};
use crate::context::CommandContext;

/// Observations that are asked for.
const LIMIT: u32 = 200;

/// What the observer tells, and, in words, why it does not. Without an observer both are empty.
pub fn runs_elsewhere(ctx: &CommandContext, repo: &Repo) -> (Vec<PastRun>, Vec<String>) {
    let history = history(ctx, repo, None);
    (history.elsewhere, history.notices)
}

/// What a plan is made with.
#[derive(Debug, Default)]
pub struct PlanHistory {
    /// Runs of the same repository elsewhere.
    pub elsewhere: Vec<PastRun>,
    /// Facts of the tree.
    pub facts: Option<SharedFacts>,
    /// In words: what the observer did not tell.
    pub notices: Vec<String>,
}

/// For a plan of this tree.
pub fn history_for_plan(ctx: &CommandContext, repo: &Repo, tree: Oid) -> PlanHistory {
    history(ctx, repo, Some(tree))
}

fn history(ctx: &CommandContext, repo: &Repo, tree: Option<Oid>) -> PlanHistory {
    let Some(settings) = settings(ctx) else { return PlanHistory::default() };
    let asked = identity(repo).and_then(|repo_id| {
        let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
        let since = format!("{WINDOW_HOURS}h");
        let observations = client.agent_log(&repo_id, &since, LIMIT).map_err(|absence| absence.to_string())?;
        // Who did not tell the one is not asked for the other.
        let facts = tree.map(|tree| client.fingerprint(&repo_id, &tree.to_string())).transpose();
        Ok((observations, facts))
    });
    let absent = |why: &str, without: &str| notice(&format!("{why}; the plan was made without its {without}"));
    let now = Timestamp::now();
    match asked {
        Ok((observations, facts)) => {
            let elsewhere = observations.iter().filter_map(|observation| past_run(observation, now)).collect();
            let (facts, notices) = match facts {
                Ok(facts) => (facts.flatten().map(shared_facts), Vec::new()),
                Err(absence) => (None, vec![absent(&absence.to_string(), "facts")]),
            };
            PlanHistory { elsewhere, facts, notices }
        }
        Err(why) => PlanHistory { notices: vec![absent(&why, "history")], ..PlanHistory::default() },
    }
}

fn shared_facts(facts: TreeFacts) -> SharedFacts {
    let DeclaredDependencies { rust, npm, python, go } = facts.declared_deps;
    SharedFacts {
        languages: facts.languages.into_iter().map(|language| (language.name, language.files)).collect(),
        stack: facts.stack,
        frameworks: facts.declared_frameworks,
        dependencies: vec![("rust", rust), ("npm", npm), ("python", python), ("go", go)],
        entry_points: facts.entrypoints,
    }
}

/// None for what says nothing of a step: one that was not tried, or a plan as a whole.
fn past_run(observation: &Observation, now: Timestamp) -> Option<PastRun> {
    let observed = &observation.observed;
    let kind = match observed.outcome {
        AttemptOutcome::Success => RunEnding::Accepted,
        AttemptOutcome::Fail => RunEnding::Rejected,
        AttemptOutcome::Aborted => RunEnding::Failed,
        AttemptOutcome::Partial | AttemptOutcome::Skipped => return None,
    };
    let ts: Timestamp = observation.ts.parse().ok()?;
    // The observer's clock may be ahead of this one.
    let age_hours = u32::try_from(now.duration_since(ts).as_hours().max(0)).ok()?;
    Some(PastRun {
        run: observed.run_id.clone(),
        step: observed.subtask_id.clone().unwrap_or_default(),
        plan: observed.plan.clone(),
        digest: observed.step_digest.clone().unwrap_or_default(),
        age_hours,
        kind,
        touched: observed.touched_files.iter().map(|path| RepoPath::from_form(path)).collect(),
        rejected_by: observed.failure_modes.clone(),
    })
}
