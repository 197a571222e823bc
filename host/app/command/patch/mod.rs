//! `host patch`: a file follows from another's staged change. The pipeline that documents and generated files were kept in
//! step with by a pre-commit hook, on the stages of the way; see `docs/patch.md`.

mod errors;
mod question;

use std::time::SystemTime;

use crate::cli::PatchArgs;
use guardhost_core::change::{Feedback, RepoPath, RunOutcome, Task};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_git::{Head, Repo, Snapshot, check_applies, recover, snapshot};
use guardhost_patch::sanitize::{Rules, check_paths};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::settle::CommitTarget;
use guardhost_provider::Cancel;
use guardhost_report::journal::{DebugFolder, Keep};
use guardhost_report::journal::{Origin, RunCommand};
use guardhost_report::{ApplyReport, PatchReport, RefusalKind, Report, RunReport};

use super::check::hints;
use super::start_run::{RunStarter, within_time};
use crate::context::CommandContext;

/// Asks for a change of the target and places it in the index and the work tree.
///
/// The index is read once, and that snapshot is what the provider is shown, what the patch is placed on and what it replaces.
pub fn patch(args: &PatchArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let repo = ctx.repo()?;
    let (source, target) = (path(&args.source), path(&args.target));
    if args.instruction.trim().is_empty() {
        return Err(Fault::new(FaultKind::Usage, "the instruction is empty").hint("--instruction TEXT").into());
    }
    let head = repo.head()?;
    let rules = RulesAt { commit: head.commit, tree: head.tree };
    let gate = Gate::open(&ctx.policies(), &repo, rules, &Terms { only: &args.only, ..Terms::at(Door::Patch) })?;
    let gate = gate.confined_to(target.clone());
    let snapshot = base(&repo, ctx, &target, &gate.policy().rules)?;
    if args.if_staged && !question::is_staged(&repo, &snapshot, &source)? {
        let notice = format!("nothing of {source} is staged, so no provider was asked");
        return Ok(Report::Patch(Box::new(PatchReport {
            run: String::new(),
            source,
            target,
            outcome: RunOutcome::NoChange,
            apply: ApplyReport::default(),
            error: None,
            rounds: 0,
            artifacts: Vec::new(),
            notices: vec![notice],
            micros: 0,
        })));
    }
    let task = Task {
        text: args.instruction.clone(),
        hints: vec![target.clone()],
        context: question::context(&repo, &snapshot, &source, &target, args.ask.provider.hint)?,
        ..Task::default()
    };
    let pid = std::process::id();
    let debug = DebugFolder::open(repo.common_dir(), &target, pid, Keep::default(), SystemTime::now())?;
    let request = RunRequest {
        id: uuid::Uuid::now_v7().to_string(),
        command: RunCommand::Patch,
        base: Head { tree: snapshot.tree, ..head },
        target: CommitTarget::Index(&snapshot),
        task,
        origin: Origin::default(),
        feedback: Feedback::default(),
    };
    let run = within_time(&args.ask.provider, ctx, || {
        let (gate, debug) = (gate.ready()?, Some(debug.clone()));
        RunStarter { repo: &repo, gate, ask: &args.ask, ctx, cancel, debug }.start(&request).map_err(errors::named)
    })?;
    Ok(Report::Patch(Box::new(report(run, source, target, &debug))))
}

fn path(path: &str) -> RepoPath {
    hints(std::slice::from_ref(&path.to_owned())).swap_remove(0)
}

/// What the change stands on. Whatever would refuse every answer is found before anybody is asked.
fn base(repo: &Repo, ctx: &CommandContext, target: &RepoPath, rules: &Rules) -> Result<Snapshot> {
    check_paths(std::slice::from_ref(target), rules).map_err(|refused| {
        Fault::new(FaultKind::Git, refused.message).hint("name another target; a provider may never touch this one")
    })?;
    if repo.is_bare() {
        return Err(Fault::new(FaultKind::Git, "a bare repository has no index to patch").into());
    }
    recover(repo, ctx)?;
    let snapshot = snapshot(repo, ctx.index(repo)?, target)?;
    check_applies(repo, &snapshot, target, ctx)?;
    Ok(snapshot)
}

fn report(run: RunReport, source: RepoPath, target: RepoPath, debug: &DebugFolder) -> PatchReport {
    let rounds = run.rounds.len();
    let last = run.rounds.into_iter().next_back().unwrap_or_default();
    let error = match run.outcome {
        RunOutcome::Rejected => last.failure.as_ref().map(errors::from_refusal),
        RunOutcome::OverBudget => Some(errors::over_budget(run.why)),
        RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange => None,
    };
    let apply = ApplyReport {
        applied: run.outcome.is_taken(),
        dry_run: false,
        strategy: last.strategy,
        touched: last.touched,
        notes: last.notes,
        refusal: last.failure.filter(|refusal| refusal.kind != RefusalKind::Rejected),
        explanation: Vec::new(),
        check: last.check,
    };
    PatchReport {
        run: run.run,
        source,
        target,
        outcome: run.outcome,
        apply,
        error,
        rounds,
        artifacts: debug.files(),
        notices: run.notices,
        micros: run.micros,
    }
}
