//! `host run --resume`: from the records of a run to what is left of it to do.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::plan::{Committed, PlanRun};
use super::{RunWork, request};
use crate::command::select_run::{named_run, recorded};
use guardhost_core::change::{Feedback, Oid, RecordedEnd, Task};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::{Head, Repo};
use guardhost_report::journal::{Artifact, History, Origin, RunCommand, State, ancestry, latest};

/// What is left to do of the run whose id begins with `prefix`. It stands on what that run stood on, not on what HEAD is now. Of a step of a
/// plan it is what is left of the plan: its commits belong on the plan's branch, and later steps stand on them.
///
/// # Errors
/// [`FaultKind::Usage`]: no such run, more than one, one that is at work, has nothing left to do, or is of a command that cannot be taken
/// up; [`FaultKind::Git`]: the commit that it stood on is gone.
pub(super) fn resume(repo: &Repo, prefix: &str) -> Result<RunWork> {
    let state_dir = repo.state_dir()?;
    let wrong = |what: String| Fault::new(FaultKind::Usage, what);
    let history = named_run(&state_dir, prefix)?;
    let Some((_, run)) = history.run() else {
        return Err(wrong(format!("nothing is recorded of the run {}", history.run)).into());
    };
    if history.state() == State::Running {
        return Err(wrong(format!("the run {} is still at work", history.run)).into());
    }
    let base = run.commit.as_deref().map(|commit| head(repo, commit)).transpose()?;
    match &run.command {
        RunCommand::Plan => plan(repo, &state_dir, &history, base, rules_tree(&run.origin)?).map(RunWork::Plan),
        command @ (RunCommand::Improve | RunCommand::Fix) => {
            let command = command.typed();
            let what = format!("the run {} is one of `host {command}`", history.run);
            Err(wrong(what).hint(format!("host {command} --resume {}", history.run)).into())
        }
        RunCommand::Run => {
            if let Some(end) = accepted(&history) {
                let what =
                    format!("the run {} ended with `{}`: nothing of it is left to do", history.run, end.as_str());
                let of_plan = |plan| format!("it is a step of a plan, which continues with host run --resume {plan}");
                let hint = run.origin.plan.as_ref().map(of_plan);
                return Err(hint.into_iter().fold(wrong(what), Fault::hint).into());
            }
            // A plan whose records were pruned leaves its steps to themselves.
            if let Some((id, step)) = history.step_of()
                && let Some(of) = recorded(&state_dir, id)?
            {
                return Ok(match resume(repo, &of.run)? {
                    RunWork::Plan(mut plan) => {
                        plan.notices
                            .push(format!("the run {} is step {step} of the plan {id}, which is resumed", history.run));
                        RunWork::Plan(plan)
                    }
                    single => single,
                });
            }
            let task =
                Task { text: run.task.clone(), hints: run.hints.clone(), mode: run.mode, context: String::new() };
            let origin = Origin { resumes: Some(history.run.clone()), ..run.origin.clone() };
            let base = base.map_or_else(|| repo.head(), Ok)?;
            Ok(RunWork::Single(request(task, base, origin, last_feedback(&history)?)))
        }
        RunCommand::Planner => {
            let what = format!("the run {} made a plan and changed nothing", history.run);
            Err(wrong(what).hint("run the plan: host run --plan FILE").into())
        }
        other @ (RunCommand::Patch
        | RunCommand::Review
        | RunCommand::Audit
        | RunCommand::Pr
        | RunCommand::Unknown(_)) => {
            let what = format!("the run {} is one of `host {}`, which starts over", history.run, other.typed());
            Err(wrong(what).into())
        }
    }
}

/// The tree that the rules of a plan and of its steps are read from, as recorded.
///
/// # Errors
/// [`FaultKind::Usage`]: the records do not say it. What a plan committed must not choose the rules for its later steps.
pub fn rules_tree(origin: &Origin) -> Result<Oid> {
    let recorded = origin.rules_tree.as_deref().and_then(|tree| Oid::from_str(tree).ok());
    recorded.ok_or_else(|| {
        Fault::new(FaultKind::Usage, "the records do not say by which rules the plan is judged")
            .hint("start the plan again: host run --plan FILE")
            .into()
    })
}

/// A plan goes on behind the last of its commits, judged by the rules of its first base, without the steps that were done.
///
/// # Errors
/// [`FaultKind::Usage`]: the plan is gone, or is none; of the repository and the records.
pub fn plan(repo: &Repo, state_dir: &Path, history: &History, base: Option<Head>, rules: Oid) -> Result<PlanRun> {
    let path = history.dir.join("0").join(Artifact::Plan.file());
    let json = fs::read(&path)
        .with_context(|| Fault::new(FaultKind::Usage, format!("the plan of the run {} is gone", history.run)))?;
    let plans = ancestry(state_dir, history)?;
    let past_runs = latest(state_dir, usize::MAX)?;
    // The records of a plan may be pruned before those of its steps, which say the branch too.
    let branch = |plan: &str| {
        let of_plan = |past: &&History| past.run == plan || past.step_of().is_some_and(|(of, _)| of == plan);
        past_runs.iter().find(of_plan).and_then(History::branch)
    };
    let mut committed = None;
    for branch in plans.iter().filter_map(|plan| branch(plan)) {
        if committed.is_none() {
            committed = repo.branch(&branch)?.map(|tip| Committed { branch, tip });
        }
    }
    let head = match (&committed, base) {
        (Some(Committed { tip, .. }), _) => head(repo, &tip.to_string())?,
        (None, Some(base)) => base,
        (None, None) => repo.head()?,
    };
    let mut plan_run = PlanRun::new(json, &path.display().to_string(), head)?;
    // A step may have been tried in several runs; what counts is whether one of them was taken.
    let mut done: BTreeMap<String, String> = BTreeMap::new();
    for past in &past_runs {
        let Some((_, run)) = past.run() else { continue };
        if let (Some(plan), Some(step), Some(end)) = (&run.origin.plan, &run.origin.step, accepted(past))
            && plans.contains(plan)
        {
            done.insert(step.clone(), format!("{} in run {}", end.as_str(), past.run));
        }
    }
    plan_run.without(&done);
    plan_run.rules = rules;
    plan_run.resumes = Some(history.run.clone());
    plan_run.lineage = plans;
    plan_run.committed = committed;
    Ok(plan_run)
}

/// How the run ended, when nothing of it is left to do.
fn accepted(history: &History) -> Option<&RecordedEnd> {
    history.end()?.outcome.as_ref().filter(|end| end.is_accepted())
}

/// The feedback of the last round that was not accepted.
fn last_feedback(history: &History) -> Result<Feedback> {
    for round in (1..=history.rounds()).rev() {
        match fs::read_to_string(history.dir.join(round.to_string()).join(Artifact::Feedback.file())) {
            Ok(text) => return Ok(Feedback { text }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).context("cannot read the feedback of the last round"),
        }
    }
    Ok(Feedback::default())
}

/// What a commit of the records is as a base.
///
/// # Errors
/// [`FaultKind::Git`]: it is gone.
pub fn head(repo: &Repo, commit: &str) -> Result<Head> {
    let gone = || Fault::new(FaultKind::Git, format!("the commit {commit} that the run stood on is gone"));
    let commit: Oid = repo.resolve(commit).with_context(gone)?;
    Ok(Head { commit: Some(commit), tree: repo.tree_of(commit)?, ..repo.head()? })
}
