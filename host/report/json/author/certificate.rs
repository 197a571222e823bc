//! Whether the guard is certified, then the checks.

use serde_json::{Value, json};

use crate::Certificate;

pub fn certificate(certificate: &Certificate) -> Value {
    let looks = certificate.looks.iter().map(|look| {
        json!({ "name": look.name, "outcome": look.outcome.word(), "detail": look.detail, "examples": look.examples })
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
