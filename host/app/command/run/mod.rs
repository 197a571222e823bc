//! `host run`: one task, or the steps of a plan.

pub mod budget;
mod passing;
pub mod plan;
pub mod resume;

use guardhost_core::change::{Feedback, Oid, Task, TaskMode};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_git::{Head, Repo, apply_to_worktree, candidate, recover};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::settle::{CommitTarget, branch_name};
use guardhost_provider::Cancel;
use guardhost_report::journal::{Origin, RunCommand};
use guardhost_report::{Report, RunReport};

use self::plan::{PlanRun, PlanSettings, run_plan};
use super::check::hints;
use super::planning::context;
use super::start_run::{RunStarter, begin_recording, within_time};
use crate::cli::RunArgs;
use crate::context::CommandContext;

/// What the arguments ask for.
enum RunWork {
    Single(RunRequest<'static>),
    Plan(PlanRun),
}

pub fn run(args: &RunArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let repo = ctx.repo()?;
    if args.onto_worktree && repo.is_bare() {
        return Err(
            Fault::new(FaultKind::Usage, "--onto-worktree needs a work tree, and this repository is bare").into()
        );
    }
    if args.onto_worktree {
        recover(&repo, ctx)?;
    }
    let (base, report, commit) = match work(args, &repo, ctx)? {
        RunWork::Single(request) => {
            let report = run_single(&repo, &request, args, ctx, cancel)?;
            let commit = report.commit;
            (request.base, Report::Run(Box::new(report)), commit)
        }
        RunWork::Plan(plan) => {
            let base = plan.base.clone();
            let settings = PlanSettings { only: &args.only, ask: &args.ask, ctx, cancel };
            let report = run_plan(&repo, plan, &settings)?;
            let commit = report.commit;
            (base, Report::Plan(Box::new(report)), commit)
        }
    };
    if let (true, Some(commit)) = (args.onto_worktree, commit) {
        apply_to_worktree(&repo, &candidate(&repo, base.commit, base.tree, repo.tree_of(commit)?)?, ctx)?;
    }
    Ok(report)
}

fn work(args: &RunArgs, repo: &Repo, ctx: &CommandContext) -> Result<RunWork> {
    if let Some(file) = &args.plan {
        let path = ctx.path(file);
        let json = std::fs::read(&path)
            .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the plan {}", path.display())))?;
        let plan = PlanRun::new(json, &file.display().to_string(), repo.head()?)?;
        let context = context(plan.plan.context.clone(), &args.from, repo, plan.base.tree, ctx)?;
        return Ok(RunWork::Plan(plan.in_context(context)));
    }
    if let Some(prefix) = &args.resume {
        return resume::resume(repo, prefix);
    }
    let text = args.task.clone().unwrap_or_default();
    if text.trim().is_empty() {
        return Err(Fault::new(FaultKind::Usage, "the task is empty")
            .hint("say what is to be done: --task TEXT")
            .into());
    }
    let task = Task {
        text,
        hints: hints(&args.hints),
        mode: if args.compile_fix { TaskMode::CompileFix } else { TaskMode::Normal },
        context: String::new(),
    };
    Ok(RunWork::Single(request(task, repo.head()?, Origin::default(), Feedback::default())))
}

/// A run on a branch of its own.
fn request(task: Task, base: Head, origin: Origin, feedback: Feedback) -> RunRequest<'static> {
    let id = uuid::Uuid::now_v7().to_string();
    let target = CommitTarget::Branch(branch_name(&task.text, &id));
    RunRequest { target, id, command: RunCommand::Run, base, task, origin, feedback }
}

/// The gate of a run on `base`, by the rules in the tree `rules`.
pub fn gate(repo: &Repo, base: &Head, rules: Oid, only: &[String], ctx: &CommandContext) -> Result<Gate> {
    // Messages name the commit, or else the tree: git shows the file of either.
    let commit = if rules == base.tree { base.commit } else { Some(rules) };
    Gate::open(&ctx.policies(), repo, RulesAt { commit, tree: rules }, &Terms { only, ..Terms::at(Door::Run) })
}

fn run_single(
    repo: &Repo,
    request: &RunRequest,
    args: &RunArgs,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<RunReport> {
    let rules = match request.origin.plan {
        Some(_) => resume::rules_tree(&request.origin)?,
        None => request.base.tree,
    };
    within_time(&args.ask.provider, ctx, || {
        let gate = gate(repo, &request.base, rules, &args.only, ctx)?;
        begin_recording(&args.ask.provider, ctx)?;
        RunStarter { repo, gate: gate.ready()?, ask: &args.ask, ctx, cancel, debug: None }.start(request)
    })
}
