//! `host audit`: what a tree scores, and why.

use std::fs;
use std::time::Instant;

use guardhost_core::audit::Audit;
use guardhost_core::change::{Oid, RunEnd, RunOutcome};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_pipeline::measure::{MeasureRequest, measured};
use guardhost_report::journal::{
    Actor, Artifact, Decision, History, Object, ObjectBody, Run, RunCommand, Secrets, latest,
};
use guardhost_report::{AuditReport, Report, escape};
use serde_json::Value;
use uuid::Uuid;

use super::start_run::create_records;
use crate::cli::AuditArgs;
use crate::context::CommandContext;

/// Runs among which the last audit is looked for.
const RECENT: usize = 5;

/// Rules, and with them pinned analyzers, are those of HEAD; the tree is that of the revision.
pub fn audit(args: &AuditArgs, ctx: &CommandContext) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let head = repo.head()?;
    if head.commit.is_none() {
        let hint = "commit something first: an audit reads a commit, not the work tree";
        return Err(Fault::new(FaultKind::Nothing, "the repository has no commit to audit").hint(hint).into());
    }
    let tree = repo.tree_of(repo.resolve(&args.revision)?)?;
    let policy = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let analyzers = ctx.policies().analyzers(&repo, args.runs_code())?;
    let wanted = MeasureRequest { runs_code: args.runs_code(), metrics: &args.metrics };
    let audit = measured(&repo, &policy, &analyzers, tree, &wanted)?;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let mut report = AuditReport { audit, revision: args.revision.clone(), micros, notices: policy.notices };
    // What cannot be recorded was measured all the same: a repository may be read-only.
    if let Err(error) = record(&repo, head.commit, &report, ctx) {
        report.notices.push(format!("this audit is not recorded: {error:#}"));
    }
    Ok(Report::Audit(report))
}

/// Keeps the report as a run of its own, for `host log`, unless the last audit came to the same.
fn record(repo: &Repo, commit: Option<Oid>, report: &AuditReport, ctx: &CommandContext) -> Result<()> {
    let kept = escape::json(&serde_json::to_value(report)?);
    let is_audit = |history: &&History| history.run().is_some_and(|(_, run)| run.command == RunCommand::Audit);
    let last = latest(&repo.state_dir()?, RECENT)?;
    let last = last.iter().find(is_audit).map(|history| history.dir.join("0").join(Artifact::Audit.file()));
    if last.and_then(|file| fs::read(file).ok()).is_some_and(|last| scores(&last) == scores(&kept)) {
        return Ok(());
    }
    let id = Uuid::now_v7().to_string();
    let records = create_records(repo, &id, Secrets::default(), ctx.process)?;
    let task = format!("an audit of {}", report.revision);
    let guards =
        report.audit.metrics.iter().map(|metric| metric.analyzer.clone()).collect::<std::collections::BTreeSet<_>>();
    let commit = commit.map(|oid| oid.to_string());
    let run = Run { command: RunCommand::Audit, task, commit, guards: guards.into_iter().collect(), ..Run::default() };
    records.record(&Object::named(id.clone(), ObjectBody::Run(run), Actor::host()))?;
    records.keep(0, Artifact::Audit, &kept)?;
    let end = RunEnd::Result(RunOutcome::NoChange);
    let decision = Decision { rationale: Some(summary(&report.audit)), ..Decision::end_of(&id, end, report.micros) };
    records
        .record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
        .context("cannot record the end of the audit")
}

/// The tree and the metrics of a report; None when it is none.
fn scores(report: &[u8]) -> Option<[Value; 2]> {
    let mut report: Value = serde_json::from_slice(report).ok()?;
    Some([report["tree"].take(), report["metrics"].take()])
}

/// The tree and its scores, for people.
fn summary(audit: &Audit) -> String {
    let score = |score: Option<u32>| {
        score.map_or_else(|| "not measured".to_owned(), |score| format!("{:.2}", f64::from(score) / 1000.0))
    };
    let metrics: Vec<String> =
        audit.metrics.iter().map(|metric| format!("{} {}", metric.id, score(metric.score()))).collect();
    format!("{} overall, tree {}: {}", score(audit.overall()), audit.tree, metrics.join(", "))
}
