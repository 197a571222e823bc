//! `host show --diff`, `host accept` and `host discard`.

use serde_json::{Value, json};

use super::{check, oid};
use crate::{ResultDiff, TakenReport};

pub fn diff(report: &ResultDiff) -> Value {
    json!({
        "run": report.run,
        "base": oid(report.base),
        "branch": report.branch,
        "commit": oid(report.commit),
        "diff": report.diff,
    })
}

pub fn taken(report: &TakenReport) -> Value {
    json!({
        "run": report.run,
        "action": report.action.word(),
        "onto": report.onto,
        "branch": report.branch,
        "branch_deleted": report.branch_deleted,
        "commit": oid(report.commit),
        "head": oid(report.head),
        "attempts_deleted": report.attempts_deleted,
        "check": report.check.as_ref().map(check),
    })
}
