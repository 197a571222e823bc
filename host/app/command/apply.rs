//! `host apply`: place a patch in the index and the work tree.

use crate::cli::ApplyArgs;
use guardhost_core::change::Candidate;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_gate::{Case, Door, Gate, RulesAt, Terms};
use guardhost_git::{Repo, apply_to_worktree, recover};
use guardhost_report::{ApplyReport, CheckReport, RefusalReport, Report};

use super::check::hints;
use super::patch_file::{self, Reading};
use super::ruling::with_ruling;
use crate::context::CommandContext;

pub fn apply(args: &ApplyArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    if repo.is_bare() {
        let hint = "clone it, or judge the patch with `host check --patch`";
        return Err(Fault::new(FaultKind::Git, "a bare repository has no work tree to apply a patch to")
            .hint(hint)
            .into());
    }
    if !args.dry_run {
        recover(&repo, ctx)?;
    }
    let head = repo.head()?;
    let rules = RulesAt { commit: head.commit, tree: head.tree };
    let gate = Gate::open(&ctx.policies(), &repo, rules, &Terms::at(Door::Apply))?;
    let bytes = patch_file::read(ctx, &args.patch)?;
    let mut report = ApplyReport { dry_run: args.dry_run, ..ApplyReport::default() };
    let mut reading = Reading::default();
    let rules = &gate.policy().rules;
    let placed = patch_file::apply(bytes, &hints(&args.hints), &repo, &head, rules, &mut reading, &ctx.process.stop)?;
    if args.explain {
        report.explanation = reading.explanation(&placed);
    }
    let candidate = match placed {
        Ok(candidate) => candidate,
        Err(failure) => {
            report.refusal = Some(RefusalReport::from(&failure));
            return Ok(Report::Apply(report));
        }
    };
    report.strategy = candidate.strategy;
    if args.no_guards || candidate.files.is_empty() {
        return finish(report, true, &candidate, &repo, ctx);
    }
    let ruling = gate.rule(Case { fixes: args.fix, ..Case::report(candidate, None) }, ctx)?;
    report.check = Some(with_ruling(CheckReport::default(), &ruling));
    finish(report, ruling.is_accepted(), ruling.candidate(), &repo, ctx)
}

fn finish(
    report: ApplyReport,
    accepted: bool,
    candidate: &Candidate,
    repo: &Repo,
    ctx: &CommandContext,
) -> Result<Report> {
    if accepted && !report.dry_run {
        apply_to_worktree(repo, candidate, ctx)?;
    }
    Ok(Report::Apply(ApplyReport {
        applied: accepted,
        touched: candidate.touched()?,
        notes: candidate.notes.clone(),
        ..report
    }))
}
