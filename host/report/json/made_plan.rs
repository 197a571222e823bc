//! The plan as `host run --plan` reads it, what the layers did to it, and how it came about.

use serde_json::{Value, json};

use crate::MadePlanReport;

pub fn made_plan(report: &MadePlanReport) -> Value {
    let mut value = report.plan.clone();
    let more = json!({
        "run": report.run,
        "provider": report.provider,
        "model": report.model,
        "questions": report.questions,
        "notices": report.notices,
        "micros": report.micros,
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}
