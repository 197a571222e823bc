//! `host show --diff`, `host accept` and `host discard`: taking the result of a run, or not.

use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_gate::{Case, ChangeAuthor, Door, Gate, Proposal, Purpose, Terms, judges_digest};
use guardhost_git::{Head, Merged, Repo, apply_to_worktree, candidate, diff_text, recover, staged, worktree};
use guardhost_report::journal::{History, SealState, State, latest};
use guardhost_report::{CheckReport, Report, ResultDiff, TakenAction, TakenReport};

use super::init::Ask;
use super::own_results::OwnResults;
use super::ruling::with_approvable_ruling;
use super::run_result::{RunResult, result_of};
use super::select_run::run_or_newest;
use super::take_part::take_part;
use crate::cli::{AcceptArgs, RunName};
use crate::context::CommandContext;

const NO_RESULT: &str = "no recorded run committed anything";

pub fn diff(args: &RunName, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let history = with_result(&repo, args)?;
    let result = result_of(&repo, &history)?;
    let diff = diff_text(&repo, result.base_tree, result.tree)?;
    Ok(Report::Diff(Box::new(ResultDiff {
        base: result.base,
        commit: Some(result.commit),
        branch: history.branch(),
        diff: String::from_utf8_lossy(&diff).into_owned(),
        run: history.run,
    })))
}

/// Brings the commit of a run to HEAD, index and work tree. What was not judged exactly as it will be on HEAD is judged again: a merge, or
/// commits that HEAD lacks beside those of the run.
/// With `--part` or `--hunks` a part goes to index and work tree alone; `ask` puts the questions of `--hunks`.
pub fn accept(args: &AcceptArgs, ctx: &CommandContext, ask: Option<&Ask<'_>>) -> Result<Report> {
    let repo = ctx.repo()?;
    if repo.is_bare() {
        return Err(Fault::new(FaultKind::Usage, "`host accept` needs a work tree, and this repository is bare")
            .hint("the branch of the run is there to be fetched or pushed")
            .into());
    }
    recover(&repo, ctx)?;
    if args.part || args.hunks {
        return Ok(taken(take_part(args, &repo, ctx, ask)?));
    }
    let history = with_result(&repo, &args.run)?;
    check_seals(&history)?;
    let result = result_of(&repo, &history)?;
    let head = repo.head()?;
    let report = TakenReport {
        task: history.run().map(|(_, run)| run.task.clone()).unwrap_or_default(),
        onto: head.branch.clone(),
        branch: history.branch(),
        commit: Some(result.commit),
        head: head.commit,
        run: history.run,
        ..TakenReport::default()
    };
    let road = match road(&repo, &head, &result)? {
        // Whoever asked for the run may have chosen its guards: then it has no verdict of the branch's rules.
        Road::Judged(at) if !is_judged_as_here(&repo, ctx, &head, at, &result)? => Road::FastForward,
        road => road,
    };
    let (change, check) = match &road {
        Road::None => {
            return Ok(taken(TakenReport { action: TakenAction::AlreadyAccepted, ..report }));
        }
        Road::Judged(_) => (candidate(&repo, head.commit, head.tree, result.tree)?, None),
        Road::FastForward => judged(&repo, ctx, &head, result.tree)?,
        Road::Merge(tree) => judged(&repo, ctx, &head, *tree)?,
    };
    if check.as_ref().is_some_and(|check| check.refusal.is_some() || !check.judgement.is_accepted()) {
        return Ok(taken(TakenReport { check, ..report }));
    }
    let (action, new) = match road {
        Road::Merge(tree) => {
            let parents: Vec<Oid> = head.commit.into_iter().chain([result.commit]).collect();
            let name = report.branch.as_deref().unwrap_or(&report.run);
            let message = format!("Merge {name}\n\nGuardhost-Run: {}\n", report.run);
            (TakenAction::Merged, repo.commit(tree, &parents, &message)?)
        }
        Road::None | Road::Judged(_) | Road::FastForward => (TakenAction::FastForwarded, result.commit),
    };
    // A host that is killed in between leaves the change staged, and HEAD as it was: then it is placed already.
    if !is_placed(&repo, &change)? {
        apply_to_worktree(&repo, &change, ctx)?;
    }
    repo.advance_head(&head, new)?;
    let branch_deleted = match &report.branch {
        Some(branch) if !args.keep_branch && repo.branch(branch)? == Some(result.commit) => {
            repo.delete_branch(branch, result.commit)?;
            true
        }
        Some(_) | None => false,
    };
    Ok(taken(TakenReport { action, head: Some(new), branch_deleted, check, ..report }))
}

/// A record that changed by accident is not taken for what the run wrote.
fn check_seals(history: &History) -> Result<()> {
    match history.seal_state()? {
        // Of a writer that was killed, all lines but the last are whole.
        SealState::Kept | SealState::Unsealed | SealState::Torn(_) => Ok(()),
        SealState::Changed(line) => {
            let what = format!("line {line} of the record of the run {} is not what the run wrote", history.run);
            let hint = format!(
                "`host replay {}` says what differs; judge what it names with `host check --range` before you merge it",
                history.run
            );
            Err(Fault::new(FaultKind::Git, what).hint(hint).code("record-changed").into())
        }
    }
}

/// Whether the run's verdict is what the rules of HEAD would come to: the host noted that the same guards judged all of it by the same rules. What a
/// record says of that, whoever works in the repository may have written; and a model may have asked for the run itself.
fn is_judged_as_here(repo: &Repo, ctx: &CommandContext, head: &Head, at: Oid, result: &RunResult) -> Result<bool> {
    if ctx.author() == ChangeAuthor::Model {
        return Ok(false);
    }
    let Some(judges) = OwnResults::open(repo, ctx).judges(repo, at, result.commit)? else { return Ok(false) };
    let gate = gate_of(repo, ctx, &proposal(repo, head, result.tree)?)?;
    Ok(judges_digest(gate.policy()) == judges)
}

/// How HEAD comes to hold the result.
enum Road {
    /// It does already.
    None,
    /// HEAD is this commit, for which the run was made: its verdict is that of the result.
    Judged(Oid),
    /// HEAD is further back.
    FastForward,
    /// HEAD went on: the tree of a merge.
    Merge(Oid),
}

fn road(repo: &Repo, head: &Head, result: &RunResult) -> Result<Road> {
    let Some(at) = head.commit else { return Ok(Road::FastForward) };
    if repo.contains(at, result.commit)? {
        return Ok(Road::None);
    }
    if result.base == Some(at) {
        return Ok(Road::Judged(at));
    }
    if repo.contains(result.commit, at)? {
        return Ok(Road::FastForward);
    }
    match repo.merge(at, result.commit)? {
        Merged::Clean(tree) => Ok(Road::Merge(tree)),
        Merged::Conflicts(paths) => Err(conflicts(&paths)),
    }
}

pub(super) fn conflicts(paths: &[String]) -> Error {
    let shown = paths.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if paths.len() > 10 { format!(" and {} more", paths.len() - 10) } else { String::new() };
    Fault::new(FaultKind::Git, format!("the result conflicts with what HEAD is now, in {shown}{more}"))
        .hint("run the task again on what HEAD is now, or merge the branch with git and resolve the conflicts")
        .code("merge-conflict")
        .into()
}

/// Whether index and work tree hold the whole change.
fn is_placed(repo: &Repo, change: &Candidate) -> Result<bool> {
    let holds = |tree: Oid| -> Result<bool> {
        for path in change.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten() {
            if change.objects.entry(tree, path)? != change.objects.entry(change.tree, path)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    // What is wrong with them is said when the change is placed.
    let Ok(index) = staged(repo) else { return Ok(false) };
    // The work tree is read only if the index holds it, which is rare.
    if change.files.is_empty() || !holds(index.tree)? {
        return Ok(false);
    }
    match worktree(repo) {
        Ok(files) => holds(files.tree),
        Err(_) => Ok(false),
    }
}

/// The change from HEAD to `tree`, and the guards' verdicts on it.
pub(super) fn judged(
    repo: &Repo,
    ctx: &CommandContext,
    head: &Head,
    tree: Oid,
) -> Result<(Candidate, Option<CheckReport>)> {
    let proposal = proposal(repo, head, tree)?;
    let gate = gate_of(repo, ctx, &proposal)?;
    let case = Case { purpose: Purpose::Commit, ..Case::report(proposal.candidate, None) };
    let ruling = gate.rule(case, ctx)?;
    let report = CheckReport { notices: gate.notices().to_vec(), ..CheckReport::default() };
    Ok((ruling.candidate().clone(), Some(with_approvable_ruling(report, &ruling, ctx.author()))))
}

fn proposal(repo: &Repo, head: &Head, tree: Oid) -> Result<Proposal> {
    Ok(Proposal::on_base(candidate(repo, head.commit, head.tree, tree)?))
}

fn gate_of(repo: &Repo, ctx: &CommandContext, proposal: &Proposal) -> Result<Gate> {
    // Commits that HEAD lacks may be a person's, and change the rules.
    let terms = Terms::at(Door::Accept).with_rule_changes(ctx.rule_changes());
    Gate::for_change(&ctx.policies_of_branches(), repo, proposal, &terms)
}

/// Deletes the branch of a run and the refs of its rejected attempts. The records stay.
pub fn discard(args: &RunName, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let state = repo.state_dir()?;
    // An audit, a review or a plan that was only made leaves nothing to delete.
    let may_leave = |run: &History| run.branch().is_some() || run.patch_sets().next().is_some();
    let history = run_or_newest(&state, args.run.as_deref(), may_leave, "no recorded run wrote a change")?;
    if history.state() == State::Running {
        return Err(Fault::new(FaultKind::Usage, format!("the run {} is still at work", history.run))
            .hint("end it first: Ctrl-C in its terminal")
            .into());
    }
    let branch = history.branch();
    let commit = history.commit().and_then(|commit| Oid::from_str(commit).ok());
    let tip = branch.as_deref().map(|branch| repo.branch(branch)).transpose()?.flatten();
    let branch_deleted = match (&branch, tip) {
        (Some(branch), Some(tip)) if Some(tip) == commit => {
            repo.delete_branch(branch, tip)?;
            true
        }
        (Some(branch), Some(tip)) if commit.is_none() => {
            let what = format!("the run was killed before it recorded what its branch {branch} holds, {tip}");
            return Err(Fault::new(FaultKind::Git, what)
                .hint(format!(
                    "look at it with `git show {branch}`; then merge it, or delete it with `git branch -D {branch}`"
                ))
                .into());
        }
        (Some(branch), Some(tip)) => {
            return Err(Fault::new(
                FaultKind::Git,
                format!("the branch {branch} is at {tip}, which is not what the run committed"),
            )
            .hint("nothing was deleted; if the other commits are not wanted either: git branch -D")
            .into());
        }
        (_, None) | (None, _) => false,
    };
    let mut attempts_deleted = repo.drop_rejected(&history.run)?;
    for step in latest(&state, usize::MAX)? {
        if step.step_of().is_some_and(|(plan, _)| plan == history.run) {
            attempts_deleted += repo.drop_rejected(&step.run)?;
        }
    }
    let head = repo.head()?;
    Ok(taken(TakenReport {
        task: history.run().map(|(_, run)| run.task.clone()).unwrap_or_default(),
        action: TakenAction::Discarded,
        onto: head.branch,
        head: head.commit,
        run: history.run,
        branch,
        branch_deleted,
        commit,
        attempts_deleted,
        check: None,
    }))
}

fn taken(report: TakenReport) -> Report {
    Report::Taken(Box::new(report))
}

/// The named run, or the newest that committed something.
fn with_result(repo: &Repo, args: &RunName) -> Result<History> {
    run_or_newest(&repo.state_dir()?, args.run.as_deref(), |history| history.commit().is_some(), NO_RESULT)
}
