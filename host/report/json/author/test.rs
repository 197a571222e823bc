//! The number of failed test cases, then all of them.

use serde_json::{Value, json};

use crate::CaseResults;

pub fn case_results(results: &CaseResults) -> Value {
    let cases = results.cases.iter().map(|case| {
        json!({
            "name": case.name,
            "ok": case.wrong.is_empty(),
            "verdict": case.verdict,
            "wrong": case.wrong,
            "updated": case.updated,
            "changes": case.changes,
            "micros": case.micros,
            "fuel": case.fuel,
        })
    });
    json!({
        "id": results.id,
        "version": results.version,
        "digest": results.digest,
        "ok": results.failed() == 0,
        "failed": results.failed(),
        "cases": cases.collect::<Vec<_>>(),
    })
}
