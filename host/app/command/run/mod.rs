//! `host run`: the whole way, for one task or for the steps of a plan.

mod resume;

use crate::cli::RunArgs;
use guardhost_core::change::{Feedback, Task, TaskMode};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_git::{Head, Repo, candidate, place_in_worktree};
use guardhost_pipeline::settle::CommitTarget;
use guardhost_provider::Cancel;
use guardhost_report::journal::Origin;
use guardhost_report::{Report, RunReport};

use super::CommandContext;
use super::check::hints;
use super::plan::{Course, follow};
use super::walk::{Errand, walk};

/// What there is to do.
enum Job {
    Change(Change),
    Plan(Course),
}

/// One change, and what it stands on.
struct Change {
    task: Task,
    head: Head,
    origin: Origin,
    told: Feedback,
}

pub fn run(args: &RunArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let repo = ctx.repo()?;
    if args.onto_worktree && repo.is_bare() {
        return Err(Fault::new(Kind::Usage, "--onto-worktree needs a work tree, and this repository is bare").into());
    }
    let (base, report, commit) = match job(args, &repo, ctx)? {
        Job::Change(change) => {
            let base = change.head.clone();
            let report = through(&repo, change, args, ctx, cancel)?;
            let commit = report.commit;
            (base, Report::Run(Box::new(report)), commit)
        }
        Job::Plan(course) => {
            let base = course.head.clone();
            let report = follow(&repo, course, args, ctx, cancel)?;
            let commit = report.commit;
            (base, Report::Plan(Box::new(report)), commit)
        }
    };
    if let (true, Some(commit)) = (args.onto_worktree, commit) {
        place_in_worktree(&repo, &candidate(&repo, base.commit, base.tree, repo.tree_of(commit)?)?)?;
    }
    Ok(report)
}

fn job(args: &RunArgs, repo: &Repo, ctx: &CommandContext) -> Result<Job> {
    if let Some(file) = &args.plan {
        let path = ctx.path(file);
        let json = std::fs::read(&path)
            .with_context(|| Fault::new(Kind::Usage, format!("cannot read the plan {}", path.display())))?;
        return Ok(Job::Plan(Course::new(json, &file.display().to_string(), repo.head()?)?));
    }
    if let Some(prefix) = &args.resume {
        return resume::job(repo, prefix);
    }
    let text = args.task.clone().unwrap_or_default();
    if text.trim().is_empty() {
        return Err(Fault::new(Kind::Usage, "the task is empty").hint("say what is to be done: --task TEXT").into());
    }
    let task = Task {
        text,
        hints: hints(&args.hints),
        mode: if args.compile_fix { TaskMode::CompileFix } else { TaskMode::Normal },
        context: String::new(),
    };
    Ok(Job::Change(Change { task, head: repo.head()?, origin: Origin::default(), told: Feedback::default() }))
}

fn through(repo: &Repo, change: Change, args: &RunArgs, ctx: &CommandContext, cancel: Cancel) -> Result<RunReport> {
    let Change { task, head, origin, told } = change;
    let ruled = ctx.policies().resolve(repo, head.commit, head.tree, &args.only, &[])?;
    let id = uuid::Uuid::now_v7().to_string();
    let errand = Errand {
        command: "run",
        repo,
        head,
        onto: CommitTarget::Branch(format!("guardhost/{id}")),
        task,
        origin,
        told,
        ruled: &ruled,
        ask: &args.ask,
        debug: None,
        id,
    };
    walk(errand, ctx, cancel)
}
