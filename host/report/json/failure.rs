//! `error`: what ended the command.

use serde_json::{Value, json};

use guardhost_core::setting::Frame;

use crate::{FailureReport, Mistake};

pub fn failure(report: &FailureReport) -> Value {
    json!({ "error": {
        "kind": report.kind,
        "code": report.code,
        "message": report.message,
        "causes": report.causes,
        "hint": report.hint,
        "frame": report.frame.as_ref().map(frame),
        "others": report.others.iter().map(mistake).collect::<Vec<_>>(),
        "exit_code": report.exit_code,
    } })
}

fn mistake(mistake: &Mistake) -> Value {
    json!({ "message": mistake.message, "hint": mistake.hint, "frame": mistake.frame.as_ref().map(frame) })
}

fn frame(frame: &Frame) -> Value {
    json!({ "line": frame.line, "column": frame.column, "width": frame.width, "text": frame.text })
}
