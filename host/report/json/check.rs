//! What guards said. Records keep it as `judgement.json`, and the trace of each guard.

use serde_json::{Value, json};

use crate::{CheckReport, FixReport, Refusal};
use guardhost_core::change::{Evidence, Oid};

/// Without `schema_version`; a record keeps it as `judgement.json`.
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
    })
}

fn fixed(report: &FixReport) -> Value {
    json!({
        "applied": report.applied,
        "fixes": report.fixes,
        "reason": report.reason,
        "before": report.before.as_deref().map(check),
    })
}

/// One guard's run; also the data of the trace's `judged`.
pub fn evidence(evidence: &Evidence) -> Value {
    json!({
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
    })
}

pub fn refusal(refusal: &Refusal) -> Value {
    json!({
        "kind": refusal.kind,
        "code": refusal.code,
        "path": refusal.path,
        "message": refusal.message,
        "at": refusal.at,
    })
}

pub fn oid(oid: Option<Oid>) -> Option<String> {
    oid.map(|oid| oid.to_string())
}
