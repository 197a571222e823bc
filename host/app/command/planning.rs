//! What every door of a plan shares: what it is made from, and its layers.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use guardhost_core::change::{Event, LayerReport, Observer, Oid, PastRun, RunHistory, Tree};
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_git::Repo;
use guardhost_pipeline::plan::Plan;
use guardhost_pipeline::plan::context::{AuditFile, PlanContext};
use guardhost_pipeline::plan::layers::{LayerInput, RUNS, WINDOW_HOURS, apply};
use guardhost_policy::Policy;
use guardhost_policy::config::scope;
use guardhost_report::journal::{RecordedRuns, Records, Secrets, Trace};
use jiff::Timestamp;

use super::CommandContext;
use crate::cli::PlanFrom;

/// Bytes of a report of an audit.
const AUDIT: u64 = 16 << 20;

/// What `--from-audit` names.
///
/// # Errors
/// [`Kind::Usage`]: it cannot be read, or is no report of an audit.
pub fn audit_file(from: &PlanFrom, ctx: &CommandContext) -> Result<Option<AuditFile>> {
    let Some(file) = &from.from_audit else { return Ok(None) };
    let name = file.display().to_string();
    let cannot = || Fault::new(Kind::Usage, format!("cannot read the audit {name}"));
    let mut bytes = Vec::new();
    match file == Path::new("-") {
        true => std::io::stdin().take(AUDIT).read_to_end(&mut bytes),
        false => std::fs::File::open(ctx.path(file)).and_then(|file| file.take(AUDIT).read_to_end(&mut bytes)),
    }
    .with_context(cannot)?;
    AuditFile::parse(&bytes, &name).map(Some)
}

/// What a plan says it was made from, with what the command line says on top.
pub fn context(
    of_plan: PlanContext,
    from: &PlanFrom,
    repo: &Repo,
    tree: Oid,
    ctx: &CommandContext,
) -> Result<PlanContext> {
    let mut context = of_plan;
    if let Some(name) = &from.scope {
        context.scope = Some(name.clone());
    }
    if let Some(audit) = audit_file(from, ctx)? {
        context = context.with_audit(&audit, &Tree { objects: repo.store(), oid: tree })?;
    }
    Ok(context)
}

/// Earlier runs of this repository, newest first.
pub fn past_runs(repo: &Repo) -> Result<Vec<PastRun>> {
    RecordedRuns { state_dir: repo.state_path() }.outcomes(WINDOW_HOURS, RUNS)
}

/// Applies the layers to a plan that is to be run on `tree`. Runs of the plans in `lineage` do not count as history: who resumes a plan asks
/// for its steps again.
///
/// # Errors
/// [`Kind::Usage`] for a scope that does not exist; of the repository and the records.
pub fn layered(
    repo: &Repo,
    plan: &mut Plan,
    tree: Oid,
    policy: &Policy,
    lineage: &[String],
) -> Result<Vec<LayerReport>> {
    let scope = plan.context.scope.as_deref().map(|name| scope(name, &policy.config.rules.scopes)).transpose()?;
    let mut past = past_runs(repo)?;
    past.retain(|run| !run.plan.as_ref().is_some_and(|plan| lineage.contains(plan)));
    let tree = Tree { objects: repo.store(), oid: tree };
    apply(plan, &LayerInput { tree: &tree, scope: scope.as_ref(), past: &past })
}

/// Shows what the layers did, and writes it to the trace of the plan's run. A plan that they left alone has no trace.
///
/// # Errors
/// When the trace cannot be written.
pub fn trace_layers(records: &Records, run: &str, layers: &[LayerReport], ctx: &CommandContext) -> Result<()> {
    if layers.is_empty() {
        return Ok(());
    }
    let (_, file) = records.trace()?;
    let trace = Trace::new(file, run, Secrets::default(), Arc::new(Timestamp::now));
    for report in layers {
        let event = Event::PlanLayered { report: report.clone() };
        ctx.see(&event);
        trace.see(&event);
    }
    trace.finish()
}
