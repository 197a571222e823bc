//! The JSON of every report. Scripts rely on it: fields are added, never renamed (`schema_version` 1).

mod author;
mod check;
pub mod event;
mod explain;
mod guards;
pub mod log;
mod pins;
mod run;

use serde_json::{Value, json};

use crate::escape;
use crate::{DoctorRow, FailureReport, Health, Report};

pub use check::{check, evidence};

pub fn render(report: &Report) -> Vec<u8> {
    let mut value = json!({ "schema_version": 1 });
    let body = match report {
        Report::Check(report) => check::check(report),
        Report::Apply(report) => run::apply(report),
        Report::Run(report) => run::run(report),
        Report::Plan(report) => run::plan(report),
        Report::Patch(report) => run::patch(report),
        Report::Log(runs) => json!({ "runs": runs.iter().map(log::summary).collect::<Vec<_>>() }),
        Report::LogRun(run) => json!({ "run": log::detail(run) }),
        Report::Guards(rows) => json!({ "guards": rows.iter().map(guards::guard_row).collect::<Vec<_>>() }),
        Report::GuardInfo(info) => guards::guard_info(info),
        Report::Explain(report) => explain::explain(report),
        Report::Pins(report) => pins::pins(report),
        Report::Author(report) => author::author(report),
        Report::Doctor(rows) => doctor(rows),
        Report::Failure(report) => failure(report),
    };
    if let (Value::Object(value), Value::Object(body)) = (&mut value, body) {
        value.extend(body);
    }
    escape::json(&value)
}

fn doctor(rows: &[DoctorRow]) -> Value {
    let checks =
        rows.iter().map(|row| json!({ "name": row.name, "ok": row.ok.word(), "detail": row.detail, "hint": row.hint }));
    json!({ "ok": rows.iter().all(|row| row.ok != Health::Fail), "checks": checks.collect::<Vec<_>>() })
}

fn failure(report: &FailureReport) -> Value {
    json!({ "error": {
        "kind": report.kind,
        "code": report.code,
        "message": report.message,
        "causes": report.causes,
        "hint": report.hint,
        "exit_code": report.exit_code,
    } })
}
