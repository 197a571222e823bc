//! `host audit`: what a tree scores, and why.

use std::time::Instant;

use guardhost_core::audit::{Audit, Metric};
use guardhost_core::change::Candidate;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::analysis::measure;
use guardhost_git::whole_tree;
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
    let policies = ctx.policies();
    let policy = policies.resolve(&repo, head.commit, head.tree, &[], &[])?;
    let embedded = policies.analyzers(&repo, args.runs_code())?;
    // Which projects are built and tested is decided by the files; nothing else asks for them.
    let whole = whole_tree(&repo, tree)?;
    let candidate = match args.runs_code() {
        true => whole,
        false => Candidate { files: Vec::new(), ..whole },
    };
    // A metric of a pinned analyzer stands in the place of the embedded one.
    let mut metrics = measure(&candidate, &policy.guards);
    for metric in measure(&candidate, &embedded) {
        if !metrics.iter().any(|known: &Metric| known.id == metric.id) {
            metrics.push(metric);
        }
    }
    metrics.retain(|metric| args.metrics.is_empty() || args.metrics.contains(&metric.id));
    if metrics.is_empty() {
        let known = args.metrics.join(", ");
        return Err(Fault::new(Kind::Usage, format!("no analyzer measures {known}"))
            .hint("`host audit` without --metric lists every metric")
            .into());
    }
    ctx.process.stop.check().map_err(|stopped| stopped.into_error("measuring the tree"))?;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let audit = Audit { tree, metrics };
    Ok(Report::Audit(AuditReport { audit, revision: args.revision.clone(), micros, notices: policy.notices }))
}
