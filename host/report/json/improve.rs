//! The two audits, their metrics side by side, and the plan.

use serde_json::{Value, json};

use super::oid;
use super::{audit, plan, pull, watch};
use crate::{AuditReport, ImproveReport};

pub fn improve(report: &ImproveReport) -> Value {
    let audit = |audit: &AuditReport| audit::audit(audit);
    json!({
        "run": report.run,
        "base": oid(report.base),
        "commit": oid(report.plan.commit),
        "branch": report.plan.branch,
        "metrics": metrics(report),
        "before": report.before.as_ref().map(audit),
        "after": report.after.as_ref().map(audit),
        "planning": report.planning,
        "plan": plan::plan(&report.plan),
        "pull": report.pull.as_deref().map(pull::pull),
        "watch": report.watch.as_deref().map(watch::watch),
        "notices": report.notices,
        "micros": report.micros,
    })
}

/// Each metric with both scores; null is what was not measured.
fn metrics(report: &ImproveReport) -> Vec<Value> {
    let Some(before) = &report.before else { return Vec::new() };
    let score =
        |audit: Option<&AuditReport>, id: &str| audit?.audit.metric(id).map(audit::metric)?.get("score").cloned();
    let ids = before.audit.metrics.iter().map(|metric| metric.id.as_str());
    ids.map(|id| json!({ "id": id, "before": score(Some(before), id), "after": score(report.after.as_ref(), id) }))
        .collect()
}
