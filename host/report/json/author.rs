//! What became of an author's guard.

use serde_json::{Value, json};

use super::check::evidence;
use crate::{AuthorReport, BuiltReport, RangeReport};
use crate::{BenchResult, CaseResults, Certificate, CheckOutcome, GuardFigures, NewGuard};

pub fn author(report: &AuthorReport) -> Value {
    match report {
        AuthorReport::NewGuard(made) => self::made(made),
        AuthorReport::Built(built) => self::built(built),
        AuthorReport::CaseResults(tested) => self::tested(tested),
        AuthorReport::Range(past) => self::past(past),
        AuthorReport::BenchResult(benched) => self::benched(benched),
        AuthorReport::Certificate(certificate) => self::certificate(certificate),
    }
}

fn made(NewGuard { name, language, folder, files }: &NewGuard) -> Value {
    json!({ "id": name, "language": language, "folder": folder.to_string_lossy(), "files": files })
}

fn built(built: &BuiltReport) -> Value {
    json!({
        "id": built.id,
        "version": built.version,
        "component": built.component.to_string_lossy(),
        "digest": built.digest,
        "size": built.size,
        "imports": built.imports,
        "micros": built.micros,
    })
}

fn tested(tested: &CaseResults) -> Value {
    let cases = tested.cases.iter().map(|case| {
        json!({
            "name": case.name,
            "ok": case.wrong.is_empty(),
            "verdict": case.verdict,
            "wrong": case.wrong,
            "updated": case.updated,
            "micros": case.micros,
            "fuel": case.fuel,
        })
    });
    json!({
        "id": tested.id,
        "version": tested.version,
        "digest": tested.digest,
        "ok": tested.failed() == 0,
        "failed": tested.failed(),
        "cases": cases.collect::<Vec<_>>(),
    })
}

fn past(RangeReport { id, past }: &RangeReport) -> Value {
    let changes = past.changes.iter().map(|change| {
        json!({
            "commit": change.commit.map(|commit| commit.to_string()),
            "subject": change.subject,
            "guard": evidence(&change.evidence),
        })
    });
    json!({
        "id": id,
        "range": past.range,
        "passed": past.count("pass"),
        "rejected": past.count("reject"),
        "not_applicable": past.count("not-applicable"),
        "errors": past.count("error"),
        "changes": changes.collect::<Vec<_>>(),
    })
}

fn benched(benched: &BenchResult) -> Value {
    json!({ "id": benched.id, "now": figures(&benched.now), "before": benched.before.as_ref().map(figures) })
}

fn figures(figures: &GuardFigures) -> Value {
    let cases = figures.cases.iter().map(|case| {
        json!({
            "name": case.name,
            "verdict": case.verdict,
            "fuel": case.fuel,
            "micros": case.micros,
            "memory": case.memory,
        })
    });
    json!({
        "version": figures.version,
        "digest": figures.digest,
        "size": figures.size,
        "fuel": figures.fuel(),
        "micros": figures.micros(),
        "memory": figures.memory(),
        "cases": cases.collect::<Vec<_>>(),
    })
}

fn certificate(certificate: &Certificate) -> Value {
    let looks = certificate.looks.iter().map(|look| {
        json!({ "name": look.name, "outcome": outcome(look.outcome), "detail": look.detail, "examples": look.examples })
    });
    let growth = certificate.growth.iter().map(|growth| {
        let points = growth.points.iter().map(|point| json!({ "bytes": point.bytes, "fuel": point.fuel }));
        json!({
            "shape": growth.shape,
            "path": growth.path,
            "exponent": growth.exponent,
            "points": points.collect::<Vec<_>>(),
        })
    });
    let [pass, reject, not_applicable, error] = certificate.verdicts;
    json!({
        "certified": certificate.is_granted(),
        "id": certificate.id,
        "version": certificate.version,
        "promise": certificate.promise,
        "digest": certificate.digest,
        "size": certificate.size,
        "imports": certificate.imports,
        "toolchain": certificate.toolchain,
        "host": env!("CARGO_PKG_VERSION"),
        "limits": { "fuel": certificate.limits.fuel, "memory": certificate.limits.memory },
        "seed": certificate.seed,
        "changes": certificate.shown,
        "called": certificate.called,
        "verdicts": { "pass": pass, "reject": reject, "not-applicable": not_applicable, "error": error },
        "most": { "fuel": certificate.fuel, "memory": certificate.memory, "micros": certificate.micros },
        "looks": looks.collect::<Vec<_>>(),
        "growth": growth.collect::<Vec<_>>(),
    })
}

pub fn outcome(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Pass => "pass",
        CheckOutcome::Warn => "warn",
        CheckOutcome::Fail => "fail",
    }
}
