//! `host apply`: place a patch in the index and the work tree.

use crate::cli::ApplyArgs;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_git::place_in_worktree;
use guardhost_report::{ApplyReport, CheckReport, Refusal, Report};

use super::check::{hints, judge};
use super::{CommandContext, exit_code, patch_file};

pub fn apply(args: &ApplyArgs, ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    if repo.is_bare() {
        let hint = "clone it, or judge the patch with `host check --patch`";
        return Err(Fault::new(Kind::Git, "a bare repository has no work tree to apply a patch to").hint(hint).into());
    }
    let head = repo.head()?;
    let ruled = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let placed =
        patch_file::place(patch_file::read(ctx, &args.patch)?, &hints(&args.hints), &repo, &head, &ruled.rules)?;
    let mut report = ApplyReport { dry_run: args.dry_run, ..ApplyReport::default() };
    let mut candidate = match placed {
        Ok(candidate) => candidate,
        Err(setback) => {
            report.refusal = Some(Refusal::from(&setback));
            return Ok(Report::Apply(report));
        }
    };
    report.strategy = candidate.strategy;
    if !args.no_guards && !candidate.files.is_empty() {
        let (check, fixed) = judge(CheckReport::default(), &candidate, &ruled, None, args.fix, ctx)?;
        candidate = fixed.unwrap_or(candidate);
        report.applied = exit_code(&Report::Check(check.clone())) == 0;
        report.check = Some(check);
    } else {
        report.applied = true;
    }
    report.touched = candidate.touched();
    report.notes.clone_from(&candidate.notes);
    if report.applied && !args.dry_run {
        place_in_worktree(&repo, &candidate)?;
    }
    Ok(Report::Apply(report))
}
