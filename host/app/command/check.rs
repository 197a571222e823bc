//! `host check`: judge a change that exists.

use crate::cli::CheckArgs;
use guardhost_core::change::{Candidate, Fixing, Quotes, RepoPath, RoundFailure, Task};
use guardhost_core::error::{Context as _, Fault, Kind, Result};
use guardhost_engine::{Context, guard};
use guardhost_git::{Repo, Snapshot, place_in_index, range, staged, staged_in};
use guardhost_patch::sanitize::check_rule_files;
use guardhost_pipeline::autofix::{Law, fix};
use guardhost_report::{CheckReport, Refusal, Report};

use super::{CommandContext, patch_file};
use guardhost_policy::Policy;

pub fn check(args: &CheckArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let (candidate, ruled) = candidate(args, ctx, &repo)?;
    let mut report = CheckReport { notices: ruled.notice.iter().cloned().collect(), ..CheckReport::default() };
    let candidate = match candidate {
        Ok(candidate) => candidate,
        Err(setback) => {
            report.refusal = Some(Refusal::from(&setback));
            return Ok(Report::Check(report));
        }
    };
    if candidate.files.is_empty() && !args.allow_empty {
        let hint = if args.staged {
            "stage something with `git add`, or pass --allow-empty"
        } else {
            "pass --allow-empty if that is fine"
        };
        return Err(Fault::new(Kind::Nothing, "there is nothing to check: the change is empty").hint(hint).into());
    }
    report.base = candidate.base;
    report.candidate = Some(candidate.tree);
    if !args.allow_rule_changes {
        let paths =
            candidate.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten().cloned();
        if let Err(refused) = check_rule_files(&paths.collect::<Vec<_>>()) {
            report.refusal = Some(Refusal::from(&refused));
            report.notices.push("people who keep the rules pass --allow-rule-changes".to_owned());
            return Ok(Report::Check(report));
        }
    }
    let (mut report, fixed) = judge(report, &candidate, &ruled, task(args).as_ref(), args.fix, ctx)?;
    if let Some(fixed) = fixed {
        stage(&repo, ctx, &candidate, fixed)?;
        report.notices.push("the fixes are in the index and the work tree".to_owned());
    }
    Ok(Report::Check(report))
}

/// Brings what was staged to what it is with fixes.
fn stage(repo: &Repo, ctx: &CommandContext, staged: &Candidate, fixed: Candidate) -> Result<()> {
    let index = ctx.process.index.as_ref().map_or_else(|| repo.git_dir().join("index"), |index| ctx.path(index));
    let (commit, head_tree, tree) = (staged.base, staged.base_tree, staged.tree);
    let snapshot = Snapshot { commit, head_tree, tree, index, adopted: None };
    place_in_index(repo, &snapshot, &Candidate { base_tree: tree, ..fixed }).with_context(|| {
        Fault::new(Kind::Git, "the change can be fixed, and the fixes cannot be placed")
            .hint("stage or stash the rest of these files, or leave out --fix")
    })
}

/// The change, or why there is none, and the rules of what it stands on.
fn candidate(args: &CheckArgs, ctx: &CommandContext, repo: &Repo) -> Result<(Result<Candidate, RoundFailure>, Policy)> {
    let ruled = |base, tree| ctx.policies().resolve(repo, base, tree, &args.only, &args.skip);
    if let Some(file) = &args.patch {
        let head = repo.head()?;
        let ruled = ruled(head.commit, head.tree)?;
        let candidate =
            patch_file::place(patch_file::read(ctx, file)?, &hints(&args.hints), repo, &head, &ruled.rules)?;
        return Ok((candidate, ruled));
    }
    let candidate = match &args.range {
        Some(spec) => range(repo, spec)?,
        None => match &ctx.process.index {
            Some(index) => staged_in(repo, &ctx.path(index))?,
            None => staged(repo)?,
        },
    };
    let ruled = ruled(candidate.base, candidate.base_tree)?;
    Ok((Ok(candidate), ruled))
}

/// Asks the guards, and, if `fixes`, once more with the fixes that they give. The candidate with those, when it was accepted.
pub(super) fn judge(
    report: CheckReport,
    candidate: &Candidate,
    ruled: &Policy,
    task: Option<&Task>,
    fixes: bool,
    ctx: &CommandContext,
) -> Result<(CheckReport, Option<Candidate>)> {
    let context = Context { task, observer: ctx };
    let judgement = guard(candidate, &ruled.guards, &context);
    let law = Law { rules: &ruled.rules, guards: &ruled.guards, context: &context };
    let fixing = if fixes { fix(candidate, &judgement, &law)? } else { None };
    let report = CheckReport {
        base: candidate.base,
        candidate: Some(candidate.tree),
        quotes: Quotes::take(candidate, &judgement),
        notes: candidate.notes.clone(),
        judgement,
        ..report
    };
    let Some(fixing) = fixing else { return Ok((report, None)) };
    let report = report.with_fixing(&fixing);
    Ok(match fixing {
        Fixing::Accepted(fixed) => (report, Some(fixed.candidate)),
        Fixing::Rejected(_) | Fixing::Declined(_) => (report, None),
    })
}

/// A task is known when somebody told it, or named its files.
fn task(args: &CheckArgs) -> Option<Task> {
    let known = args.task.is_some() || !args.hints.is_empty();
    known.then(|| Task { text: args.task.clone().unwrap_or_default(), hints: hints(&args.hints), ..Task::default() })
}

pub(super) fn hints(hints: &[String]) -> Vec<RepoPath> {
    hints.iter().map(|hint| RepoPath::from(hint.strip_prefix("./").unwrap_or(hint))).collect()
}
