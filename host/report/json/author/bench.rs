//! The measurements of a component, and those of an older one.

use serde_json::{Value, json};

use crate::{BenchResult, GuardFigures};

pub fn bench_result(result: &BenchResult) -> Value {
    json!({ "id": result.id, "now": figures(&result.now), "before": result.before.as_ref().map(figures) })
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
