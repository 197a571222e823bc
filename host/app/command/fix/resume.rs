//! `host fix --resume`: what of a run is done, from its records and from the commits on its branch.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use guardhost_core::change::{Oid, RecordedEnd, RunEnd, RunOutcome, StepOutcome};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::{Head, Repo, range};
use guardhost_pipeline::fix::iteration::FixAttempt;
use guardhost_report::StepReport;
use guardhost_report::journal::{Artifact, History, RunCommand, State, latest};
use serde::de::DeserializeOwned;

use super::list::ListedIssue;
use crate::command::run::resume::{head, rules_tree};
use crate::command::select_run::named_run;
use guardhost_report::journal::ancestry;

/// Where a run begins: at its start, or where another stopped.
pub struct Begun {
    /// What the first fix stands on.
    pub base: Head,
    pub rules: Oid,
    /// What the next fix stands on.
    pub tip: Head,
    pub resumes: Option<String>,
    pub branch: Option<String>,
    pub listed: Option<Vec<ListedIssue>>,
    /// Batches that have a result, by their ids.
    pub steps: BTreeMap<String, StepReport>,
    /// Attempts that were reviewed, the first first.
    pub attempts: Vec<FixAttempt>,
    /// The folders of the runs that this one goes on with, the newest first.
    pub folders: Vec<PathBuf>,
}

impl Begun {
    pub fn anew(base: Head) -> Self {
        Begun {
            rules: base.tree,
            tip: base.clone(),
            base,
            resumes: None,
            branch: None,
            listed: None,
            steps: BTreeMap::new(),
            attempts: Vec::new(),
            folders: Vec::new(),
        }
    }

    /// # Errors
    /// [`FaultKind::Usage`]: no such run, one of another command, one that is at work or came to its end.
    pub fn resumed(repo: &Repo, prefix: &str) -> Result<Self> {
        let state_dir = repo.state_dir()?;
        let history = named_run(&state_dir, prefix)?;
        let wrong = |what: String| Fault::new(FaultKind::Usage, what);
        let Some((_, run)) = history.run().filter(|(_, run)| run.command == RunCommand::Fix) else {
            return Err(wrong(format!("the run {} is none of `host fix`", history.run)).into());
        };
        if history.state() == State::Running {
            return Err(wrong(format!("the run {} is still at work", history.run)).into());
        }
        if let Some(end) = history.end().and_then(|end| end.outcome.as_ref()).filter(|end| has_result(end)) {
            let what = format!("the run {} ended with `{}`: nothing of it is left to do", history.run, end.as_str());
            return Err(wrong(what).hint("name the issues again to try those that failed once more").into());
        }
        let lineage = ancestry(&state_dir, &history)?;
        let base = run.commit.as_deref().map(|commit| head(repo, commit)).transpose()?;
        let base = base.map_or_else(|| repo.head(), Ok)?;
        let branch = history.branch();
        let tip = branch.as_deref().map(|branch| repo.branch(branch)).transpose()?.flatten();
        let tip = tip.map(|tip| head(repo, &tip.to_string())).transpose()?.unwrap_or_else(|| base.clone());
        let FixProgress { listed, steps, attempts, folders } = FixProgress::new(repo, &lineage, &base, &tip)?;
        if listed.is_none() {
            let what = format!("the run {} stopped before its list of issues was stored", history.run);
            return Err(wrong(what).hint("nothing of it was tried: name the issues again").into());
        }
        let rules = rules_tree(&run.origin)?;
        let resumes = Some(history.run.clone());
        Ok(Begun { base, rules, tip, resumes, branch, listed, steps, attempts, folders })
    }
}

/// What runs have done of a list of issues.
#[derive(Default)]
pub struct FixProgress {
    /// The issues that the earlier runs found; None if they ended before they recorded the list.
    pub listed: Option<Vec<ListedIssue>>,
    pub steps: BTreeMap<String, StepReport>,
    pub attempts: Vec<FixAttempt>,
    pub folders: Vec<PathBuf>,
}

impl FixProgress {
    /// Of a run and those that it took up, the newest first. Their commits are those behind `base`, up to `tip`.
    ///
    /// # Errors
    /// Of the repository and the records.
    pub fn new(repo: &Repo, lineage: &[String], base: &Head, tip: &Head) -> Result<Self> {
        let all = latest(&repo.state_dir()?, usize::MAX)?;
        let folders = folders(&all, lineage);
        let mut attempts = Vec::new();
        while let Some(attempt) = artifact(&folders, attempts.len() as u32 + 1, Artifact::Attempt)? {
            attempts.push(attempt);
        }
        let steps = steps(&all, lineage, &committed(repo, base, tip)?);
        Ok(FixProgress { listed: artifact(&folders, 0, Artifact::Issues)?, steps, attempts, folders })
    }
}

/// Of runs, the newest first.
pub fn folders(all: &[History], lineage: &[String]) -> Vec<PathBuf> {
    lineage.iter().filter_map(|id| Some(all.iter().find(|past| past.run == *id)?.dir.clone())).collect()
}

/// Whether the run came to its end. An error or a used-up budget is none.
fn has_result(end: &RecordedEnd) -> bool {
    match end {
        RecordedEnd::Known(RunEnd::Result(RunOutcome::OverBudget) | RunEnd::Failed(_)) => false,
        RecordedEnd::Known(RunEnd::Result(_)) | RecordedEnd::Unknown(_) => true,
    }
}

/// From the newest folder that has the artifact.
///
/// # Errors
/// [`FaultKind::Usage`]: it cannot be read.
pub fn artifact<T: DeserializeOwned>(folders: &[PathBuf], round: u32, artifact: Artifact) -> Result<Option<T>> {
    for folder in folders {
        let path = folder.join(round.to_string()).join(artifact.file());
        match fs::read(&path) {
            Ok(bytes) => {
                let wrong = || Fault::new(FaultKind::Usage, format!("{} cannot be read", path.display()));
                return serde_json::from_slice(&bytes).map(Some).with_context(wrong);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }
    Ok(None)
}

/// By the id of its run: what was committed. The branch knows it, also where the host was killed before it could record it.
fn committed(repo: &Repo, base: &Head, tip: &Head) -> Result<BTreeMap<String, Oid>> {
    let (Some(base), Some(tip)) = (base.commit, tip.commit) else { return Ok(BTreeMap::new()) };
    if base == tip {
        return Ok(BTreeMap::new());
    }
    let commits = range(repo, &format!("{base}..{tip}"))?.commits;
    let of_run = |commit: &guardhost_core::change::CommitInfo| {
        let trailers = commit.trailers();
        let (_, run) = trailers.iter().find(|(name, _)| name == "Guardhost-Run")?;
        Some((run.clone(), commit.oid?))
    };
    Ok(commits.iter().filter_map(of_run).collect())
}

/// The batches of these runs that have a result. One that was interrupted has none.
fn steps(all: &[History], lineage: &[String], committed: &BTreeMap<String, Oid>) -> BTreeMap<String, StepReport> {
    let mut steps: BTreeMap<String, StepReport> = BTreeMap::new();
    for past in all {
        let Some((plan, step)) = past.step_of() else { continue };
        if !lineage.iter().any(|run| run == plan) {
            continue;
        }
        let of_step = |outcome, why: Option<String>, commit| StepReport {
            id: step.to_owned(),
            outcome: StepOutcome::Ran(outcome),
            why,
            run: Some(past.run.clone()),
            commit,
            rounds: past.rounds() as usize,
            ..StepReport::default()
        };
        if let Some(commit) = committed.get(&past.run) {
            steps.insert(step.to_owned(), of_step(RunEnd::Result(RunOutcome::Committed), None, Some(*commit)));
            continue;
        }
        let end = past.end().and_then(|end| Some((end.outcome.as_ref()?, end.rationale.clone())));
        if let Some((RecordedEnd::Known(end), why)) = end
            && is_result(*end)
        {
            steps.entry(step.to_owned()).or_insert_with(|| of_step(*end, why, None));
        }
    }
    steps
}

/// Whether a batch that ended so is not tried again.
fn is_result(end: RunEnd) -> bool {
    match end {
        // Its commit is not on the branch any more.
        RunEnd::Result(RunOutcome::Committed | RunOutcome::Staged | RunOutcome::OverBudget) => false,
        RunEnd::Result(RunOutcome::NoChange | RunOutcome::Rejected) => true,
        // A provider that gave no answer has crashed; what else fails ends the run, which is then resumed.
        RunEnd::Failed(FaultKind::Provider) => true,
        RunEnd::Failed(_) => false,
    }
}
