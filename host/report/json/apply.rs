//! `applied` and how; `host patch` has the same fields.

use serde_json::{Value, json};

use super::check::check;
use super::refusal::refusal;
use crate::ApplyReport;

pub fn apply(report: &ApplyReport) -> Value {
    json!({
        "applied": report.applied,
        "strategy": report.strategy,
        "touched": report.touched,
        "notes": report.notes,
        "refusal": report.refusal.as_ref().map(refusal),
        "dry_run": report.dry_run,
        "check": report.check.as_ref().map(check),
    })
}
