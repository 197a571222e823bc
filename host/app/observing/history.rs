//! Runs of the same repository on other machines, for the layer of plans that looks at history.

use guardhost_core::change::{PastRun, RepoPath, RunEnding};
use guardhost_git::Repo;
use guardhost_observer::wire::{Observation, Outcome};
use guardhost_pipeline::plan::layers::WINDOW_HOURS;
use jiff::Timestamp;

use super::{client_of, identity::identity, notice, settings};
use crate::command::CommandContext;

/// Observations that are asked for.
const LIMIT: u32 = 200;

/// What the observer tells, and, in words, why it does not. Without an observer both are empty.
pub fn runs_elsewhere(ctx: &CommandContext, repo: &Repo) -> (Vec<PastRun>, Vec<String>) {
    let Some(settings) = settings(ctx) else { return Default::default() };
    let asked = identity(repo).and_then(|repo_id| {
        let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
        let since = format!("{WINDOW_HOURS}h");
        client.agent_log(&repo_id, &since, LIMIT).map_err(|absence| absence.to_string())
    });
    match asked {
        Ok(observations) => {
            let now = Timestamp::now();
            (observations.iter().filter_map(|observation| past_run(observation, now)).collect(), Vec::new())
        }
        Err(why) => (Vec::new(), vec![notice(&format!("{why}; the plan was made without its history"))]),
    }
}

/// None for what says nothing of a step: one that was not tried, or a plan as a whole.
fn past_run(observation: &Observation, now: Timestamp) -> Option<PastRun> {
    let observed = &observation.observed;
    let kind = match observed.outcome {
        Outcome::Success => RunEnding::Accepted,
        Outcome::Fail => RunEnding::Rejected,
        Outcome::Aborted => RunEnding::Failed,
        Outcome::Partial | Outcome::Skipped => return None,
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
