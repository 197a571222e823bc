//! What commands that take plans share: what a plan is made from, and the trace of its layers.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use guardhost_core::change::{Event, LayerReport, Observer, Oid, Tree};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_git::Repo;
use guardhost_pipeline::plan::context::{AuditFile, PlanContext};
use guardhost_report::journal::{Records, Secrets, Trace};
use jiff::Timestamp;

use crate::cli::PlanFrom;
use crate::context::CommandContext;

/// Bytes of a report of an audit.
const AUDIT: u64 = 16 << 20;

/// What `--from-audit` names.
///
/// # Errors
/// [`FaultKind::Usage`]: it cannot be read, or is no report of an audit.
pub fn audit_file(from: &PlanFrom, ctx: &CommandContext) -> Result<Option<AuditFile>> {
    let Some(file) = &from.from_audit else { return Ok(None) };
    let name = file.display().to_string();
    let cannot = || Fault::new(FaultKind::Usage, format!("cannot read the audit {name}"));
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

/// Shows what the layers did, and writes it to the trace of the plan's run. A plan that they left alone has no trace.
///
/// # Errors
/// When the trace cannot be written.
pub fn trace_layers(records: &Records, run: &str, layers: &[LayerReport], ctx: &CommandContext) -> Result<()> {
    let events: Vec<Event> = layers.iter().map(|report| Event::PlanLayered { report: report.clone() }).collect();
    trace(records, run, &events, ctx)
}

/// Shows events and writes them to the trace of a plan's run, which is made only if there are any.
///
/// # Errors
/// When the trace cannot be written.
pub fn trace(records: &Records, run: &str, events: &[Event], ctx: &CommandContext) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let (_, file) = records.trace()?;
    let trace = Trace::new(file, run, Secrets::default(), Arc::new(Timestamp::now));
    for event in events {
        ctx.see(event);
        trace.see(event);
    }
    trace.finish()
}
