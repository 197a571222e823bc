//! `host log` and `host show`: earlier runs and their outcomes, here and, with an observer, elsewhere.

use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_display::OutputFormat;
use guardhost_git::{Repo, diff_text};
use guardhost_report::journal::{History, latest_listed, recorded_ids};
use guardhost_report::rulings::{PastRuling, Rulings, read};
use guardhost_report::{LogReport, Report, RunDetails, SharedRun, SharedRunReport};
use jiff::Timestamp;

use super::commit_trace::traces;
use super::run_part::{described, part_of};
use super::run_result::result_of;
use super::select_run::{named_run, newest_wanted, none, recorded, run_or_newest, several};
use crate::cli::{LogArgs, ShowArgs};
use crate::context::CommandContext;
use crate::observing::{self, FoundShared};

pub fn log(args: &LogArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    match &args.run {
        None => {
            let log = newest(&repo, args.limit, ctx)?;
            Ok(Report::Log(match args.rulings {
                true => with_rulings(log, &repo, args)?,
                false => log,
            }))
        }
        Some(name) => named(&repo, name, ctx),
    }
}

/// The newest run that was to change something, unless one is named: an audit or a review behind it is recorded, too, and not meant. Where
/// there are only such, the newest of them.
pub fn show(args: &ShowArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let report = match &args.run.run {
        None => {
            let state = repo.state_path();
            let is_meant = |run: &History| run.run().is_none_or(|(_, run)| run.command.writes_changes());
            let history = match newest_wanted(&state, is_meant)? {
                Some(history) => history,
                None => run_or_newest(&state, None, |_| true, "no run is recorded here")?,
            };
            details(&repo, &state, history)?
        }
        Some(name) => named(&repo, name, ctx)?,
    };
    Ok(match report {
        Report::LogRun { mut run } if args.reply => {
            run.replies = (1..=run.history.rounds()).filter_map(|round| run.history.explained(round)).collect();
            Report::LogRun { run }
        }
        Report::LogRun { mut run } if ctx.global.format == OutputFormat::AgentTrace => {
            let of_steps = run.steps.iter().map(|step| named_run(&repo.state_path(), &step.run));
            run.traces = traces(&repo, &run.history, &of_steps.collect::<Result<Vec<_>>>()?)?;
            Report::LogRun { run }
        }
        other => other,
    })
}

/// The newest runs of this machine, and those that only the observer knows.
pub fn newest(repo: &Repo, limit: usize, ctx: &CommandContext) -> Result<LogReport> {
    let state = repo.state_path();
    let runs = latest_listed(&state, limit)?;
    let shared = observing::shared_log(ctx, repo, &recorded_ids(&state)?, limit);
    Ok(LogReport { runs, shared, ..LogReport::default() }.newest(limit))
}

/// The newest rulings beside the runs.
fn with_rulings(log: LogReport, repo: &Repo, args: &LogArgs) -> Result<LogReport> {
    let Rulings { rulings, unread } = read(&repo.state_path(), Timestamp::now())?;
    let objects = |past: &PastRuling, guard: &String| past.ruling.findings.iter().any(|one| one.guard == *guard);
    let is_asked = |past: &PastRuling| {
        args.guard.as_ref().is_none_or(|guard| objects(past, guard))
            && args.door.as_ref().is_none_or(|door| past.ruling.door == *door)
    };
    let newest = rulings.into_iter().rev().filter(is_asked).take(args.limit);
    Ok(LogReport { rulings: Some(newest.collect()), unread_rulings: unread, ..log })
}

/// What is recorded here counts; the observer is asked for what is not.
fn named(repo: &Repo, name: &str, ctx: &CommandContext) -> Result<Report> {
    let state = repo.state_path();
    if let Some(history) = recorded(&state, name)? {
        return details(repo, &state, history);
    }
    match observing::shared_run(ctx, repo, name) {
        None => Err(none(name).into()),
        Some(FoundShared::One(run)) => Ok(elsewhere(repo, *run, ctx)),
        Some(FoundShared::None) => {
            Err(none(name).hint("`host log` lists those that are stored here, or at the observer").into())
        }
        Some(FoundShared::Several(runs)) => Err(several(name, &runs)),
        // It may be a run of another machine: nobody can tell now.
        Some(FoundShared::Absent(why)) => {
            Err(none(name).hint(format!("only runs of this machine are known; {why}")).into())
        }
    }
}

fn elsewhere(repo: &Repo, run: SharedRun, ctx: &CommandContext) -> Report {
    let page = observing::page(ctx, &run.run);
    // Commits of other machines come by `git fetch`, or not at all.
    let diff = run.commit.as_deref().and_then(|commit| diff_of(repo, commit).ok());
    Report::SharedRun { run: Box::new(SharedRunReport { run, page, diff }) }
}

fn diff_of(repo: &Repo, commit: &str) -> Result<String> {
    let commit = Oid::from_str(commit)?;
    let parent = repo.resolve(&format!("{commit}^"))?;
    Ok(String::from_utf8_lossy(&diff_text(repo, repo.tree_of(parent)?, repo.tree_of(commit)?)?).into_owned())
}

fn details(repo: &Repo, state: &Path, history: History) -> Result<Report> {
    let diff = match result_of(repo, &history) {
        Ok(result) => Some(String::from_utf8_lossy(&diff_text(repo, result.base_tree, result.tree)?).into_owned()),
        // Nothing was committed, or git no longer has it; the records have what there is.
        Err(_) => None,
    };
    let mut steps: Vec<_> = match history.run() {
        Some((_, run)) if run.command.has_steps() => latest_listed(state, usize::MAX)?,
        Some(_) | None => Vec::new(),
    };
    steps.retain(|step| step.step_of().is_some_and(|(plan, _)| plan == history.run));
    steps.reverse();
    // What is gone from git is not shown, and the rest is.
    let part =
        part_of(repo, &history).ok().flatten().and_then(|part| described(repo, &history.run, part).ok().flatten());
    Ok(Report::LogRun { run: Box::new(RunDetails { history, steps, diff, part, ..RunDetails::default() }) })
}
