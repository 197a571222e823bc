//! Runs of this repository that the observer knows, for `host log` and `host show`.

use std::collections::BTreeSet;

use guardhost_git::Repo;
use guardhost_observer::wire::Observation;
use guardhost_report::journal::State;
use guardhost_report::{SharedLog, SharedRun};

use super::machine::machine;
use super::{client_of, identity::identity, notice, settings};
use crate::context::CommandContext;

/// Observations that are looked through for a run.
const MOST: u32 = 1_000;
/// Observations for each run that is listed: of some nothing is shown, because they are recorded here.
const EACH: usize = 4;
/// Characters of a name or a path, and names of a list.
const NAME: usize = 512;
const LISTED: usize = 200;

/// The newest runs that are not `known` here. None: no observer is configured. An observer that does not answer is a notice.
pub fn shared_log(ctx: &CommandContext, repo: &Repo, known: &BTreeSet<String>, limit: usize) -> Option<SharedLog> {
    settings(ctx)?;
    let wanted = u32::try_from(limit.saturating_mul(EACH)).unwrap_or(MOST).clamp(1, MOST);
    let (runs, notices) = match query(ctx, repo, None, wanted) {
        Ok(mut runs) => {
            runs.retain(|run| !known.contains(&run.run));
            (runs, Vec::new())
        }
        Err(why) => (Vec::new(), vec![notice(&format!("{why}; only runs that are recorded here are listed"))]),
    };
    Some(SharedLog { machine: machine(ctx), runs, notices })
}

/// What looking for a run came to.
pub enum FoundShared {
    One(Box<SharedRun>),
    None,
    /// Ids, newest first.
    Several(Vec<String>),
    /// In words, why the observer did not tell.
    Absent(String),
}

/// The run whose id begins with `name`, or whose branch it is. None: no observer is configured.
pub fn shared_run(ctx: &CommandContext, repo: &Repo, name: &str) -> Option<FoundShared> {
    settings(ctx)?;
    // A whole id is looked up; a part of one is looked for in the newest.
    let runs = match query(ctx, repo, Some(name), 1) {
        Ok(runs) if runs.is_empty() => query(ctx, repo, None, MOST),
        runs => runs,
    };
    let mut runs = match runs {
        Ok(runs) => runs,
        Err(why) => return Some(FoundShared::Absent(notice(&why))),
    };
    runs.retain(|run| match name.contains('/') {
        true => run.branch.as_deref() == Some(name),
        false => run.run.starts_with(name),
    });
    let is_branch = name.contains('/');
    Some(match runs.len() {
        0 => FoundShared::None,
        // A branch has the commits of several runs; the newest is what it is now.
        1 => FoundShared::One(Box::new(runs.swap_remove(0))),
        _ if is_branch => FoundShared::One(Box::new(runs.swap_remove(0))),
        _ => FoundShared::Several(runs.into_iter().map(|run| run.run).collect()),
    })
}

/// The page of a run at the observer. Only servers of ours have pages.
pub fn page(ctx: &CommandContext, run: &str) -> Option<String> {
    let url = ctx.global.observer.as_deref().filter(|url| !url.is_empty())?;
    let is_plain = run.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    is_plain.then(|| format!("{}/pages/runs/{run}", url.trim_end_matches('/')))
}

/// Newest first, each run once.
fn query(ctx: &CommandContext, repo: &Repo, run: Option<&str>, limit: u32) -> Result<Vec<SharedRun>, String> {
    let repo_id = identity(repo)?;
    let settings = settings(ctx).ok_or("there is none")?;
    let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
    let observations = client.newest(&repo_id, run, limit).map_err(|absence| absence.to_string())?;
    let mut seen = BTreeSet::new();
    Ok(observations.into_iter().map(shared).filter(|run| seen.insert(run.run.clone())).collect())
}

/// What other clients wrote is cut to what ours write.
fn shared(observation: Observation) -> SharedRun {
    let Observation { ts, observed, .. } = observation;
    let cut = |text: String| text.chars().take(NAME).collect::<String>();
    let list = |texts: Vec<String>| texts.into_iter().take(LISTED).map(cut).collect();
    SharedRun {
        run: cut(observed.run_id),
        state: State::Ended,
        machine: observed.machine.map(cut),
        agent: cut(observed.agent),
        ended_at: cut(ts),
        title: observed.title.map(cut),
        ending: observed.outcome,
        model: observed.model.map(cut),
        branch: observed.branch.map(cut),
        commit: observed.commit_sha.map(cut),
        plan: observed.plan.map(cut),
        step: observed.subtask_id.map(cut),
        touched: list(observed.touched_files),
        failure_modes: list(observed.failure_modes),
    }
}
