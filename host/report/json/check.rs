//! A judgement, guard by guard. Records and the trace keep the same form.

use serde_json::{Value, json};

use super::oid;
use super::refusal::refusal;
use crate::{CheckReport, FixReport};
use guardhost_core::change::Evidence;

/// Without `schema_version`. The journal keeps it as `judgement.json`.
pub fn check(report: &CheckReport) -> Value {
    json!({
        "verdict": report.verdict(),
        "base": oid(report.base),
        "candidate": oid(report.candidate),
        "guards": report.judgement.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "refusal": report.refusal.as_ref().map(refusal),
        "notes": report.notes,
        "notices": report.notices,
        "fixed": report.fixed.as_ref().map(fixed),
        "unjudged": report.is_unjudged(),
    })
}

/// What of a check is the same on every machine that judges the same: no times, no word of caches, no notices, which name folders.
pub fn exact(report: &CheckReport) -> Value {
    let mut value = check(report);
    remove_inexact(&mut value);
    value
}

fn remove_inexact(check: &mut Value) {
    let Some(object) = check.as_object_mut() else { return };
    object.shift_remove("notices");
    for guard in object.get_mut("guards").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(guard) = guard.as_object_mut() {
            ["micros", "cached", "reused"].iter().for_each(|name| drop(guard.shift_remove(*name)));
        }
    }
    if let Some(before) = object.get_mut("fixed").and_then(|fixed| fixed.get_mut("before")) {
        remove_inexact(before);
    }
}

fn fixed(report: &FixReport) -> Value {
    json!({
        "applied": report.applied,
        "fixes": report.fixes,
        "reason": report.reason,
        "before": report.before.as_deref().map(check),
    })
}

/// One guard's run. The trace has it as the data of `judged`.
pub fn evidence(evidence: &Evidence) -> Value {
    let mut object = json!({
        "id": evidence.id,
        "g": evidence.mark,
        "version": evidence.version,
        "digest": evidence.digest,
        "verdict": evidence.verdict.word(),
        "reason": evidence.verdict.reason(),
        "micros": evidence.micros,
        "fuel": evidence.fuel,
        "cached": evidence.cached,
        "findings": evidence.verdict.findings(),
        "mode": evidence.mode,
        "code": evidence.verdict.code(),
        "metrics": evidence.metrics,
        "log": evidence.log,
        "allowed": evidence.allowed,
    });
    if evidence.reused {
        object["reused"] = true.into();
    }
    object
}
