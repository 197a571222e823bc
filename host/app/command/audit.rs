//! `host audit`: what a tree scores, and why.

use std::time::Instant;

use guardhost_core::audit::{Audit, Metric};
use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::analysis::measure;
use guardhost_git::{Repo, whole_tree};
use guardhost_policy::Policy;
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
    let wanted = Wanted { runs_code: args.runs_code(), metrics: &args.metrics };
    let audit = measured(&repo, &policy, tree, &wanted, ctx)?;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Report::Audit(AuditReport { audit, revision: args.revision.clone(), micros, notices: policy.notices }))
}

/// What is to be measured.
pub struct Wanted<'a> {
    /// Whether builds and tests are run.
    pub runs_code: bool,
    /// Ids; empty means all.
    pub metrics: &'a [String],
}

/// Measures a tree by the analyzers that the policy pins and by the embedded ones.
///
/// # Errors
/// Of the repository; [`Kind::Usage`] when nothing measures what is wanted; an interruption.
pub fn measured(repo: &Repo, policy: &Policy, tree: Oid, wanted: &Wanted, ctx: &CommandContext) -> Result<Audit> {
    let embedded = ctx.policies().analyzers(repo, wanted.runs_code)?;
    // Which projects are built and tested is decided by the files; nothing else asks for them.
    let whole = whole_tree(repo, tree)?;
    let candidate = match wanted.runs_code {
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
    metrics.retain(|metric| wanted.metrics.is_empty() || wanted.metrics.contains(&metric.id));
    if metrics.is_empty() {
        let known = wanted.metrics.join(", ");
        return Err(Fault::new(Kind::Usage, format!("no analyzer measures {known}"))
            .hint("`host audit` without --metric lists every metric")
            .into());
    }
    ctx.process.stop.check().map_err(|stopped| stopped.into_error("measuring the tree"))?;
    Ok(Audit { tree, metrics })
}
