//! `host check`: judge a change that exists.

use crate::cli::CheckArgs;
use guardhost_core::change::{Autofix, Candidate, HostRule, RepoPath, RoundFailure, Task};
use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result};
use guardhost_engine::exceptions::unused::{UnusedComment, unused_comments};
use guardhost_gate::{BaselineFile, Case, Door, ExistingChange, Gate, Proposal, RuleChanges, RulesAt, Ruling, Terms};
use guardhost_git::{Repo, Snapshot, apply_to_index, deletes, recover};
use guardhost_report::{CheckReport, RefusalReport, Report};

use super::add_allow::{add_allow, may_add};
use super::part::write_part;
use super::patch_file;
use super::ruling::{has_only_fixable_errors, with_approvable_ruling};
use super::triage::triaged;
use crate::context::CommandContext;

pub fn check(args: &CheckArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    if args.fix {
        recover(&repo, ctx)?;
    }
    let (mut gate, candidate) = opened(args, ctx, &repo)?;
    if args.add_allow.is_some() {
        may_add(&gate, ctx)?;
    }
    let mut candidate = match candidate {
        Ok(candidate) => candidate,
        Err(failure) => {
            let refusal = Some(RefusalReport::from(&failure));
            return Ok(Report::Check(CheckReport {
                notices: gate.notices().to_vec(),
                refusal,
                ..CheckReport::default()
            }));
        }
    };
    // The work tree that is watched is clean now and then.
    if candidate.files.is_empty() && !args.allow_empty && !args.watch {
        let in_work_tree = || Ok::<_, Error>(!ExistingChange::WorkTree.propose(&repo)?.candidate.files.is_empty());
        let hint = if args.range.as_deref().is_some_and(deletes) {
            "the range says that a branch was deleted; pass --allow-empty where that may happen, as in a workflow of pushes"
        } else if (args.staged || args.fix) && args.patch.is_none() && in_work_tree()? {
            "nothing is staged, and the work tree has changes: `git add -u` stages those of tracked files (`git commit -a` stages them only \
             while it commits); --worktree judges them as they are"
        } else if args.staged {
            "stage something with `git add`, or pass --allow-empty"
        } else {
            "pass --allow-empty if that is fine"
        };
        return Err(Fault::new(FaultKind::Nothing, "there is nothing to check: the change is empty").hint(hint).into());
    }
    if let Some(file) = &args.baseline {
        let (path, shown) = (ctx.path(file), file.display().to_string());
        gate.use_baseline(&BaselineFile { path: &path, shown: &shown }, &repo, &candidate)?;
    }
    let task = task(args);
    let case = |candidate| Case { fixes: args.fix, ..Case::report(candidate, task.as_ref()) };
    let (mut written, mut allowed) = (None, Vec::new());
    if let Some(file) = &args.write_baseline {
        let first = gate.rule(case(candidate.clone()).in_passing(), ctx)?;
        if let Ruling::Judged(first) = &first {
            let baseline = gate.count_as_known(&candidate, first.judgement());
            std::fs::write(ctx.path(file), &baseline.json).with_context(|| {
                Fault::new(FaultKind::Usage, format!("cannot write the baseline {}", file.display()))
            })?;
            written = Some(match baseline.findings {
                1 => format!("1 finding is in {}", file.display()),
                count => format!("{count} findings are in {}", file.display()),
            });
        }
    }
    if let Some(reason) = &args.add_allow {
        let first = gate.rule(case(candidate.clone()).in_passing(), ctx)?;
        if let Ruling::Judged(first) = &first {
            allowed = add_allow(reason, &gate, first, &repo)?;
            candidate = ExistingChange::WorkTree.propose(&repo)?.candidate;
        }
    }
    let whole = args.part.as_ref().map(|file| (file, candidate.clone()));
    // What is watched is in the making: it is no ruling to remember.
    let case = if args.watch { case(candidate).in_passing() } else { case(candidate) };
    let ruling = gate.rule(case, ctx)?;
    let report = CheckReport { notices: gate.notices().to_vec(), ..CheckReport::default() };
    let mut report = with_approvable_ruling(report, &ruling, ctx.author());
    report.notices.extend(written.into_iter().chain(allowed));
    if let Some((file, whole)) = whole.filter(|_| !ruling.is_accepted()) {
        report.notices.extend(write_part(file, &whole, task.as_ref(), &gate, &repo, ctx)?);
    }
    if let Some(wanted) = &args.triage {
        report.triage = Some(triaged(wanted, &ruling, &gate, ctx)?);
    }
    let Ruling::Judged(judged) = ruling else { return Ok(Report::Check(report)) };
    let (proposed, judgement) = judged.proposed();
    report.notices.extend(unused_comments(gate.guards(), proposed, judgement).iter().map(unused));
    if args.fix && report.judgement.evidence.iter().any(|evidence| evidence.id == HostRule::LockFits.id()) {
        report
            .notices
            .push("no fix was tried: guards.toml, guards.lock and the components do not fit together".to_owned());
    }
    // Fixes are made to what is staged.
    let is_of_index = args.patch.is_none() && args.range.is_none() && args.add_allow.is_none();
    let is_of_index = is_of_index && !args.worktree && !args.watch;
    if is_of_index && !args.fix && has_only_fixable_errors(&report.judgement) {
        report.notices.push("every error has a fix: `host check --fix` makes them in what is staged".to_owned());
    }
    if let Some(Autofix::Accepted(fixed)) = judged.autofix() {
        stage(&repo, ctx, judged.proposed().0, fixed.candidate.clone())?;
        report.notices.push("the fixes are in the index and the work tree".to_owned());
    }
    Ok(Report::Check(report))
}

fn unused(UnusedComment { path, line, rule }: &UnusedComment) -> String {
    format!("{path}:{line}: the comment allows `{rule}`, which finds nothing there")
}

/// Brings what was staged to what it is with fixes.
fn stage(repo: &Repo, ctx: &CommandContext, staged: &Candidate, fixed: Candidate) -> Result<()> {
    let index = ctx.index(repo)?;
    let (commit, head_tree, tree) = (staged.base, staged.base_tree, staged.tree);
    let snapshot = Snapshot { commit, head_tree, tree, index, adopted: None };
    apply_to_index(repo, &snapshot, &Candidate { base_tree: tree, ..fixed }, ctx).with_context(|| {
        Fault::new(FaultKind::Git, "the change can be fixed, and the fixes cannot be placed")
            .hint("stage or stash the rest of these files, or leave out --fix")
    })
}

/// The gate and the change, or why the change cannot be made.
fn opened(args: &CheckArgs, ctx: &CommandContext, repo: &Repo) -> Result<(Gate, Result<Candidate, RoundFailure>)> {
    let rule_changes = if args.allow_rule_changes { RuleChanges::Allowed } else { RuleChanges::Kept };
    let (only, skip) = (args.only.as_slice(), args.skip.as_slice());
    if let Some(file) = &args.patch {
        let head = repo.head()?;
        // A patch is taken for one of a model; what is staged or committed, for its author's.
        let terms = Terms { rule_changes, only, skip, ..Terms::at(Door::CheckPatch) };
        let gate = Gate::open(&ctx.policies(), repo, RulesAt { commit: head.commit, tree: head.tree }, &terms)?;
        let bytes = patch_file::read(ctx, file)?;
        let rules = &gate.policy().rules;
        let candidate = patch_file::apply(bytes, &hints(&args.hints), repo, &head, rules, &mut (), &ctx.process.stop)?;
        return Ok((gate, candidate));
    }
    let proposal = match &args.range {
        Some(spec) => ExistingChange::Range(spec).propose(repo)?,
        None if args.worktree || args.watch || args.add_allow.is_some() => ExistingChange::WorkTree.propose(repo)?,
        None => {
            let staged = ExistingChange::Staged { index: &ctx.index(repo)? }.propose(repo)?;
            // What only concerns the index asks for it: a commit that is being made, and fixes.
            let is_chosen = args.staged || args.fix || args.message.is_some();
            if is_chosen || !staged.candidate.files.is_empty() {
                staged
            } else {
                ExistingChange::WorkTree.propose(repo)?
            }
        }
    };
    let Proposal { candidate, rules } = proposal;
    let message = args.message.as_ref().map(|file| message(ctx, file)).transpose()?;
    let candidate = Candidate { message: message.or(candidate.message.clone()), ..candidate };
    let proposal = Proposal { candidate, rules };
    let terms = Terms { rule_changes, only, skip, ..ctx.terms(Door::Check) };
    let gate = Gate::for_change(&ctx.policies(), repo, &proposal, &terms)?;
    Ok((gate, Ok(proposal.candidate)))
}

/// The commit message in the file that git passes to the hook `commit-msg`, without git's comments.
fn message(ctx: &CommandContext, file: &std::path::Path) -> Result<String> {
    let path = ctx.path(file);
    let bytes = std::fs::read(&path).with_context(|| {
        Fault::new(FaultKind::Usage, format!("cannot read the commit message in {}", path.display()))
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
