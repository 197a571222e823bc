//! `host check`: judge a change that exists.

use crate::cli::CheckArgs;
use guardhost_core::change::{
    Autofix, Candidate, Event, GuardVerdict, HostRule, Judgement, Mode, Observer, Oid, Quotes, RepoPath, RoundFailure,
    Severity, Task,
};
use guardhost_core::error::{Context as _, Fault, Kind, Result};
use guardhost_engine::Context;
use guardhost_git::{
    Repo, Snapshot, deletes, place_in_index, range, recover, rules_commit, staged, staged_in, worktree,
};
use guardhost_pipeline::judge::{Judged, judge};
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_report::{CheckReport, Refusal, Report};

use super::other_rules::other_rules;
use super::{exceptions, patch_file};
use crate::context::CommandContext;
use guardhost_policy::{Policy, check_candidate_lock, check_rules_untouched};

pub fn check(args: &CheckArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    if args.fix {
        recover(&repo, ctx)?;
    }
    let Asked { candidate, mut policy, rules_tree } = asked(args, ctx, &repo)?;
    let mut report = CheckReport { notices: policy.notices.clone(), ..CheckReport::default() };
    let candidate = match candidate {
        Ok(candidate) => candidate,
        Err(failure) => {
            report.refusal = Some(Refusal::from(&failure));
            return Ok(Report::Check(report));
        }
    };
    if candidate.files.is_empty() && !args.allow_empty {
        let hint = if args.range.as_deref().is_some_and(deletes) {
            "the range says that a branch was deleted; pass --allow-empty where that may happen, as in a workflow of pushes"
        } else if args.staged {
            "stage something with `git add`, or pass --allow-empty"
        } else {
            "pass --allow-empty if that is fine"
        };
        return Err(Fault::new(Kind::Nothing, "there is nothing to check: the change is empty").hint(hint).into());
    }
    report.base = candidate.base;
    report.candidate = Some(candidate.tree);
    let mut lock_misfits = Vec::new();
    if let Err(refused) = check_rules_untouched(&candidate, &policy.rules) {
        lock_misfits = check_candidate_lock(&candidate)?;
        if !args.allow_rule_changes {
            report.refusal = Some(Refusal::from(&refused));
            report.notices.push("people who keep the rules pass --allow-rule-changes, or set GUARDHOST_ALLOW_RULE_CHANGES=1 for one commit".to_owned());
            report.notices.extend(lock_misfits.into_iter().map(|finding| finding.message));
            return Ok(Report::Check(report));
        }
    }
    // Fixes of a change that the host rejects for another reason are not placed.
    let lock_fits = lock_misfits.is_empty() || args.skip.iter().any(|id| id == HostRule::LockFits.id());
    if args.fix && !lock_fits {
        report
            .notices
            .push("no fix was tried: guards.toml, guards.lock and the components do not fit together".to_owned());
    }
    exceptions::set(args, ctx, &candidate, rules_tree, &mut policy, &mut report.notices)?;
    let task = task(args);
    let context = Context { task: task.as_ref(), observer: ctx };
    let judged = match &args.write_baseline {
        Some(file) => exceptions::write_baseline(file, ctx, candidate, &mut policy, &context, &mut report.notices)?,
        None => judge(
            candidate,
            &Judging { policy: &policy, purpose: Purpose::Report, fixes: args.fix && lock_fits },
            &context,
        )?,
    };
    let mut report = with_judgement(report, &judged);
    if args.staged && !args.fix && has_only_fixable_errors(&report.judgement) {
        report.notices.push("every error has a fix: --fix applies them".to_owned());
    }
    if let Some(Autofix::Accepted(fixed)) = judged.autofix() {
        stage(&repo, ctx, judged.proposed().0, fixed.candidate.clone())?;
        report.notices.push("the fixes are in the index and the work tree".to_owned());
    }
    if !lock_fits {
        let evidence = HostRule::LockFits.rejection(lock_misfits);
        ctx.see(&Event::Judged { evidence: Box::new(evidence.clone()) });
        report.judgement.evidence.push(evidence);
    }
    Ok(Report::Check(report))
}

/// Nothing else stands in the way: a guard that failed has no fix.
fn has_only_fixable_errors(judgement: &Judgement) -> bool {
    let enforced = || judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    if enforced().any(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
        return false;
    }
    let findings = enforced().flat_map(|evidence| evidence.verdict.findings());
    let mut errors = findings.filter(|finding| finding.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(|finding| finding.fix.is_some())
}

/// The report with what the guards said, and what their fixes came to.
pub fn with_judgement(report: CheckReport, judged: &Judged) -> CheckReport {
    let (candidate, judgement) = judged.proposed();
    let report = CheckReport {
        base: candidate.base,
        candidate: Some(candidate.tree),
        quotes: Quotes::take(candidate, judgement),
        notes: candidate.notes.clone(),
        judgement: judgement.clone(),
        ..report
    };
    match judged.autofix() {
        Some(autofix) => report.with_fixing(autofix),
        None => report,
    }
}

/// Brings what was staged to what it is with fixes.
fn stage(repo: &Repo, ctx: &CommandContext, staged: &Candidate, fixed: Candidate) -> Result<()> {
    let index = ctx.index(repo)?;
    let (commit, head_tree, tree) = (staged.base, staged.base_tree, staged.tree);
    let snapshot = Snapshot { commit, head_tree, tree, index, adopted: None };
    place_in_index(repo, &snapshot, &Candidate { base_tree: tree, ..fixed }, ctx).with_context(|| {
        Fault::new(Kind::Git, "the change can be fixed, and the fixes cannot be placed")
            .hint("stage or stash the rest of these files, or leave out --fix")
    })
}

/// What is judged, and by what.
struct Asked {
    /// Or why there is none.
    candidate: Result<Candidate, RoundFailure>,
    policy: Policy,
    /// The tree that the rules are read from.
    rules_tree: Oid,
}

fn asked(args: &CheckArgs, ctx: &CommandContext, repo: &Repo) -> Result<Asked> {
    let policy = |base, tree| ctx.policies().resolve(repo, base, tree, &args.only, &args.skip);
    if let Some(file) = &args.patch {
        let head = repo.head()?;
        let policy = policy(head.commit, head.tree)?;
        let candidate = patch_file::place(
            patch_file::read(ctx, file)?,
            &hints(&args.hints),
            repo,
            &head,
            &policy.rules,
            &ctx.process.stop,
        )?;
        return Ok(Asked { candidate, policy, rules_tree: head.tree });
    }
    let candidate = match &args.range {
        Some(spec) => range(repo, spec)?,
        None if args.worktree => worktree(repo)?,
        None => {
            let staged = match &ctx.process.index {
                Some(_) => staged_in(repo, &ctx.index(repo)?)?,
                None => staged(repo)?,
            };
            // What only concerns the index asks for it: a commit that is being made, and fixes.
            let is_chosen = args.staged || args.fix || args.message.is_some();
            if is_chosen || !staged.files.is_empty() { staged } else { worktree(repo)? }
        }
    };
    let message = args.message.as_ref().map(|file| message(ctx, file)).transpose()?;
    let candidate = Candidate { message: message.or(candidate.message.clone()), ..candidate };
    let (rules, rules_tree) = match &args.range {
        Some(spec) => rules_commit(repo, spec, &candidate)?,
        None => (candidate.base, candidate.base_tree),
    };
    let mut policy = policy(rules, rules_tree)?;
    policy.notices.extend(other_rules(&candidate, (rules, rules_tree))?);
    Ok(Asked { candidate: Ok(candidate), policy, rules_tree })
}

/// The commit message in the file that git passes to the hook `commit-msg`, without git's comments.
fn message(ctx: &CommandContext, file: &std::path::Path) -> Result<String> {
    let path = ctx.path(file);
    let bytes = std::fs::read(&path).with_context(|| {
        Fault::new(Kind::Usage, format!("cannot read the commit message in {}", path.display()))
            .hint("the hook commit-msg gets the file as its first argument: --message \"$1\"")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    guardhost_git::clean_message(&text)
}

/// None unless `--task` or `--file-hint` is given.
fn task(args: &CheckArgs) -> Option<Task> {
    let known = args.task.is_some() || !args.hints.is_empty();
    known.then(|| Task { text: args.task.clone().unwrap_or_default(), hints: hints(&args.hints), ..Task::default() })
}

pub fn hints(hints: &[String]) -> Vec<RepoPath> {
    hints.iter().map(|hint| RepoPath::from(hint.strip_prefix("./").unwrap_or(hint))).collect()
}
