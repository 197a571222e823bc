//! `host run`: the whole way.

use crate::change::{Task, TaskMode};
use crate::cli::RunArgs;
use crate::error::{Fault, Kind, Result};
use crate::git::{Repo, place_in_worktree, range};
use crate::observe::{Report, RunReport};
use crate::provide::Cancel;
use crate::settle::Onto;

use super::Desk;
use super::check::hints;
use super::rules::ruled;
use super::walk::{Plan, walk};

pub fn run(args: &RunArgs, desk: &Desk, cancel: Cancel) -> Result<Report> {
    let repo = desk.repo()?;
    if args.task.trim().is_empty() {
        return Err(Fault::new(Kind::Usage, "the task is empty").hint("say what is to be done: --task TEXT").into());
    }
    if args.onto_worktree && repo.is_bare() {
        return Err(Fault::new(Kind::Usage, "--onto-worktree needs a work tree, and this repository is bare").into());
    }
    let task = Task {
        text: args.task.clone(),
        hints: hints(&args.hints),
        mode: if args.compile_fix { TaskMode::CompileFix } else { TaskMode::Normal },
        context: String::new(),
    };
    let report = through(&repo, task, args, desk, cancel)?;
    if let (true, Some(commit)) = (args.onto_worktree, report.commit) {
        place_in_worktree(&repo, &range(&repo, &commit.to_string())?)?;
    }
    Ok(Report::Run(Box::new(report)))
}

fn through(repo: &Repo, task: Task, args: &RunArgs, desk: &Desk, cancel: Cancel) -> Result<RunReport> {
    let head = repo.head()?;
    let ruled = ruled(desk, repo, head.commit, head.tree, &args.only, &[])?;
    let id = uuid::Uuid::now_v7().to_string();
    let plan = Plan {
        command: "run",
        repo,
        head,
        onto: Onto::Branch(format!("guardhost/{id}")),
        task,
        ruled: &ruled,
        ask: &args.ask,
        debug: None,
        id,
    };
    walk(plan, desk, cancel)
}
