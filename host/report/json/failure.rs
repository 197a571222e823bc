//! `error`: what ended the command.

use serde_json::{Value, json};

use crate::FailureReport;

pub fn failure(report: &FailureReport) -> Value {
    json!({ "error": {
        "kind": report.kind,
        "code": report.code,
        "message": report.message,
        "causes": report.causes,
        "hint": report.hint,
        "exit_code": report.exit_code,
    } })
}
