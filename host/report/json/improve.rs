//! The two audits, their metrics side by side, and the plan.

use serde_json::{Value, json};

use super::oid;
use super::{audit, fix, plan, pull, review, watch};
use crate::{AuditReport, ImproveReport, Voted};

pub fn improve(report: &ImproveReport) -> Value {
    let audit = |audit: &AuditReport| audit::audit(audit);
    json!({
        "run": report.run,
        "base": oid(report.base),
        "commit": oid(report.commit),
        "branch": report.plan.branch,
        "metrics": metrics(report),
        "before": report.before.as_ref().map(audit),
        "after": report.after.as_ref().map(audit),
        "planning": report.planning,
        "plan": plan::plan(&report.plan),
        "fixes": report.fixes.as_ref().map(fix::fix),
        "votes": report.votes.as_ref().map(voted),
        "pull": report.pull.as_deref().map(pull::pull),
        "watch": report.watch.as_deref().map(watch::watch),
        "notices": report.notices,
        "micros": report.micros,
    })
}

fn voted(voted: &Voted) -> Value {
    let (approval, mean, why) = review::approval(&voted.approval);
    let votes: Vec<Value> = voted.votes.iter().map(review::vote).collect();
    json!({ "approval": approval, "mean": mean, "why": why, "votes": votes })
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
