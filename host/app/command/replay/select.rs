//! Which runs the command line means.

use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::{Fault, FaultKind, Result, kind};
use guardhost_git::Repo;
use guardhost_pipeline::replay::Trailers;
use guardhost_report::journal::{Depth, FoundRun, History, find, latest, recorded_runs};

use crate::command::select_run::{named_run, run_or_newest};

/// What one word of the command line names.
pub enum SelectedRuns {
    Run(History),
    /// `run`: the one that made it, if it is recorded here.
    Commit {
        commit: Oid,
        trailers: Trailers,
        run: Option<History>,
    },
}

/// A word names a run before it names a commit.
///
/// # Errors
/// [`FaultKind::Usage`]: it names neither, or several runs.
pub fn selected(words: &[String], repo: &Repo, state: &Path) -> Result<Vec<SelectedRuns>> {
    if words.is_empty() {
        return Ok(vec![SelectedRuns::Run(newest_judged(state)?)]);
    }
    words.iter().map(|word| named(word, repo, state)).collect()
}

/// The newest run that judged a change, or in whose steps one was judged; the newest of all where none did.
fn newest_judged(state: &Path) -> Result<History> {
    let is_judged = |run: &Result<History>| run.as_ref().map_or(true, History::has_judgement);
    let Some(judged) = recorded_runs(state, Depth::All)?.find(is_judged).transpose()? else {
        return run_or_newest(state, None, |_| true, "no run is recorded here");
    };
    let whole = judged.step_of().map(|(plan, _)| find(state, plan)).transpose()?;
    Ok(match whole {
        Some(FoundRun::One(plan)) => plan,
        Some(FoundRun::None | FoundRun::Several(_)) | None => judged,
    })
}

fn named(word: &str, repo: &Repo, state: &Path) -> Result<SelectedRuns> {
    let no_run = match named_run(state, word) {
        Ok(history) => return Ok(SelectedRuns::Run(history)),
        Err(error) => error,
    };
    match repo.resolve(word) {
        Ok(commit) => from_commit(commit, repo, state),
        // Neither a run nor a commit, also in a shallow clone, which may lack the commit.
        Err(error) if matches!(kind(&error), FaultKind::Usage | FaultKind::Git) => Err(no_run),
        Err(error) => Err(error),
    }
}

fn from_commit(commit: Oid, repo: &Repo, state: &Path) -> Result<SelectedRuns> {
    let (_, message) = repo.parents_and_message(commit)?;
    let trailers = Trailers::from_message(&message);
    let found = trailers.run.as_deref().map(|run| find(state, run));
    let run = match found {
        Some(Ok(FoundRun::One(history))) if Some(history.run.as_str()) == trailers.run.as_deref() => Some(history),
        Some(Ok(FoundRun::One(_) | FoundRun::None | FoundRun::Several(_))) | None => None,
        // A trailer may hold anything; what cannot name a run names none.
        Some(Err(error)) if kind(&error) == FaultKind::Usage => None,
        Some(Err(error)) => return Err(error),
    };
    Ok(SelectedRuns::Commit { commit, trailers, run })
}

/// The run itself, and the runs of its steps, oldest first.
pub fn with_steps(state: &Path, history: History) -> Result<Vec<History>> {
    let is_whole = history.run().is_some_and(|(_, run)| run.command.has_steps());
    let mut steps = if is_whole { latest(state, usize::MAX)? } else { Vec::new() };
    steps.retain(|step| step.step_of().is_some_and(|(plan, _)| plan == history.run));
    steps.reverse();
    steps.insert(0, history);
    Ok(steps)
}

/// # Errors
/// [`FaultKind::Usage`]: a commit whose run is not recorded here.
pub fn run_of(selected: &SelectedRuns) -> Result<History> {
    match selected {
        SelectedRuns::Run(history) | SelectedRuns::Commit { run: Some(history), .. } => Ok(history.clone()),
        SelectedRuns::Commit { commit, run: None, .. } => {
            let what = format!("the run that made {commit} is not recorded here, so there is nothing to export");
            Err(Fault::new(FaultKind::Usage, what).hint("`host log` lists the runs").into())
        }
    }
}
