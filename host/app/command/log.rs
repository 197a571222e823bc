//! `host log` and `host show`: earlier runs and their outcomes.

use std::path::Path;

use guardhost_core::error::Result;
use guardhost_git::{Repo, diff_text};
use guardhost_report::journal::{History, latest};
use guardhost_report::{Report, RunDetails};

use super::CommandContext;
use super::run_result::result_of;
use super::select_run::{named_run, run_or_newest};
use crate::cli::{LogArgs, RunName};

pub fn log(args: &LogArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let state = repo.state_dir()?;
    match &args.run {
        None => Ok(Report::Log(latest(&state, args.limit)?)),
        Some(name) => details(&repo, &state, named_run(&state, name)?),
    }
}

/// The newest run, unless one is named.
pub fn show(args: &RunName, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let state = repo.state_dir()?;
    let history = run_or_newest(&state, args.run.as_deref(), |_| true, "no run is recorded here")?;
    details(&repo, &state, history)
}

fn details(repo: &Repo, state: &Path, history: History) -> Result<Report> {
    let diff = match result_of(repo, &history) {
        Ok(result) => Some(String::from_utf8_lossy(&diff_text(repo, result.base_tree, result.tree)?).into_owned()),
        // Nothing was committed, or git no longer has it; the records have what there is.
        Err(_) => None,
    };
    let mut steps: Vec<_> = match history.run() {
        Some((_, run)) if ["plan", "improve", "fix"].contains(&run.command.as_str()) => latest(state, usize::MAX)?,
        Some(_) | None => Vec::new(),
    };
    steps.retain(|step| step.step_of().is_some_and(|(plan, _)| plan == history.run));
    steps.reverse();
    Ok(Report::LogRun(Box::new(RunDetails { history, steps, diff })))
}
