//! `host replay`: every verdict of a run judged again, from the recorded answers.

mod attest;
mod bundle;
mod select;

use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_pipeline::receipt::AllowedSigners;
use guardhost_pipeline::replay::{Replaying, Trailers, replay_commit, replay_run, signature};
use guardhost_policy::PolicySource;
use guardhost_report::journal::History;
use guardhost_report::{
    CommitReplay, ExportedRuns, ProblemKind, ReceiptReplay, RecordProblem, ReplayReport, Report, RunReplay,
};

use self::select::{SelectedRuns, with_steps};
use crate::cli::ReplayArgs;
use crate::context::CommandContext;

/// # Errors
/// [`FaultKind::Usage`]: there is no such run or commit, or the file is no bundle; [`FaultKind::Nothing`]: guards judged nothing; of the repository
/// and the rules of then. What differs is in the report.
pub fn replay(args: &ReplayArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let mut replaying = replaying(&repo, ctx);
    if let Some(file) = &args.allowed_signers {
        replaying.signers = Some(AllowedSigners::read(&ctx.path(file))?);
    }
    if let Some(file) = &args.attestation {
        return attest::attest(args, &ctx.path(file), &replaying, ctx);
    }
    if let Some(file) = &args.bundle {
        let bundle = bundle::read(&ctx.path(file), &ctx.process.temp)?;
        replaying.components = bundle.components;
        let mut report = ReplayReport::default();
        for history in &bundle.runs {
            report.runs.push(whole(history, &replaying)?);
        }
        return judged(report);
    }
    let state = repo.state_dir()?;
    let selected = select::selected(&args.what, &repo, &state)?;
    if let Some(file) = &args.export {
        let exported = Some(export(file, &selected, &state, &replaying, ctx)?);
        return Ok(Report::Replay(Box::new(ReplayReport { exported, ..ReplayReport::default() })));
    }
    let mut report = ReplayReport::default();
    for selected in selected {
        match selected {
            SelectedRuns::Run(history) => {
                for history in with_steps(&state, history)? {
                    report.runs.push(whole(&history, &replaying)?);
                }
            }
            SelectedRuns::Commit { commit, trailers, run: Some(history) } => {
                let (commit, run) = recorded_commit(commit, trailers, &history, &replaying)?;
                report.commit = Some(commit);
                report.runs.push(run);
            }
            SelectedRuns::Commit { commit, run: None, .. } => {
                report.commit =
                    Some(replay_commit(commit, &replaying).with_context(|| {
                        Fault::new(FaultKind::Git, format!("cannot judge the commit {commit} again"))
                    })?);
            }
        }
    }
    judged(report)
}

/// Writes the selected runs with their steps to a file.
fn export(
    file: &Path,
    selected: &[SelectedRuns],
    state: &Path,
    replaying: &Replaying,
    ctx: &CommandContext,
) -> Result<ExportedRuns> {
    let mut runs = Vec::new();
    for selected in selected {
        runs.extend(with_steps(state, select::run_of(selected)?)?);
    }
    let written = bundle::write(&ctx.path(file), &runs, replaying)?;
    Ok(ExportedRuns { path: file.to_owned(), bytes: written.bytes, components: written.components })
}

/// A commit whose run is recorded here: the run, and whether the commit's receipt is that of its newest change with the commit's tree.
fn recorded_commit(
    commit: Oid,
    trailers: Trailers,
    history: &History,
    replaying: &Replaying,
) -> Result<(CommitReplay, RunReplay)> {
    let mut run = replay_run(history, replaying)?;
    let hex = commit.to_string();
    if history.commit() != Some(hex.as_str()) {
        let message = format!("the records say that the run made {}", history.commit().unwrap_or("no commit"));
        run.problems.push(RecordProblem { kind: ProblemKind::CommitDiffers, what: hex.clone(), message });
    }
    let tree = replaying.repo.tree_of(commit)?.to_string();
    run.problems.extend(not_judged(&run, &hex, &tree));
    let change = run.changes.iter().rev().find(|change| change.tree == tree);
    let now = change.and_then(|change| change.receipt.as_ref()).map(|receipt| receipt.replayed.clone());
    let signed = signature(commit, &trailers, replaying)?;
    let receipt = trailers.receipt.map(|recorded| ReceiptReplay { recorded, replayed: now.unwrap_or_default() });
    let replay =
        CommitReplay { signed, commit: hex, run: trailers.run, is_recorded: true, guards: Vec::new(), receipt };
    Ok((replay, run))
}

/// Records that name a commit which holds nothing that the run's guards judged, whatever seals them. A run that judged no change, such as that
/// of a plan, has the commits of its steps.
fn not_judged(run: &RunReplay, commit: &str, tree: &str) -> Option<RecordProblem> {
    let is_judged = run.changes.is_empty() || run.changes.iter().any(|change| change.tree == tree);
    (!is_judged).then(|| {
        let message = format!("its tree {tree} is none that the run's guards judged");
        RecordProblem { kind: ProblemKind::CommitDiffers, what: commit.to_owned(), message }
    })
}

/// A run, and the signature in its commit.
fn whole(history: &History, replaying: &Replaying) -> Result<RunReplay> {
    let mut replay = replay_run(history, replaying)?;
    let Some(hex) = history.commit() else { return Ok(replay) };
    let problem =
        |message: String| RecordProblem { kind: ProblemKind::SignatureNotGood, what: hex.to_owned(), message };
    let commit = Oid::from_str(hex).ok().filter(|commit| replaying.repo.tree_of(*commit).is_ok());
    match commit {
        Some(commit) => {
            let tree = replaying.repo.tree_of(commit)?.to_string();
            replay.problems.extend(not_judged(&replay, hex, &tree));
            let (_, message) = replaying.repo.parents_and_message(commit)?;
            let signed = signature(commit, &Trailers::from_message(&message), replaying)?;
            if !signed.is_enough() {
                replay.problems.push(problem(format!("the signature of its receipt is {}", signed.signature.as_str())));
            }
        }
        // What cannot be looked at is not signed.
        None if replaying.signers.is_some() => {
            replay
                .problems
                .push(problem("the commit is not in this repository, and its receipt must be signed".to_owned()));
        }
        None => {}
    }
    Ok(replay)
}

fn replaying<'a>(repo: &'a Repo, ctx: &'a CommandContext) -> Replaying<'a> {
    let policies = PolicySource { fresh: true, demands_lock: false, ..ctx.policies() };
    Replaying { repo, policies, components: Default::default(), checked: Default::default(), signers: None }
}

/// A report in which nothing was judged and nothing is wrong says nothing.
fn judged(mut report: ReplayReport) -> Result<Report> {
    let judged =
        report.commit.is_some() || report.runs.iter().any(|run| !run.changes.is_empty() || !run.problems.is_empty());
    if !judged {
        return Err(Fault::new(FaultKind::Nothing, "no guard judged a change in these runs")
            .hint("`host log` lists the runs; the answers of models to a review: host review --answers FILE")
            .into());
    }
    let older = report.runs.iter().flat_map(|run| &run.changes).any(|change| change.receipt.is_none());
    if older {
        let text =
            "a judgement has no receipt: it was recorded by an earlier version, or of a change that was not decided on";
        report.notices.push(text.to_owned());
    }
    Ok(Report::Replay(Box::new(report)))
}
