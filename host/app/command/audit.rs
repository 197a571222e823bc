//! `host audit`: what a tree scores, and why.

use std::time::Instant;

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_pipeline::measure::{Wanted, measured};
use guardhost_report::{AuditReport, Report};

use super::CommandContext;
use crate::cli::AuditArgs;

/// Rules, and with them pinned analyzers, are those of HEAD; the tree is that of the revision.
pub fn audit(args: &AuditArgs, ctx: &CommandContext) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let head = repo.head()?;
    if head.commit.is_none() {
        let hint = "commit something first: an audit reads a commit, not the work tree";
        return Err(Fault::new(Kind::Nothing, "the repository has no commit to audit").hint(hint).into());
    }
    let tree = repo.tree_of(repo.resolve(&args.revision)?)?;
    let policy = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let analyzers = ctx.policies().analyzers(&repo, args.runs_code())?;
    let wanted = Wanted { runs_code: args.runs_code(), metrics: &args.metrics };
    let audit = measured(&repo, &policy, &analyzers, tree, &wanted)?;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Report::Audit(AuditReport { audit, revision: args.revision.clone(), micros, notices: policy.notices }))
}
