//! The JSON of every report.

use guardhost_display::{OutputFormat, render};
use guardhost_report::{AuthorReport, ExplainReport, Report};
use serde_json::{Value, json};

use super::samples::{check::check, reports};
use crate::integration::display::LOOK;

/// The definition of a report in `docs/reports.schema.json`.
fn definition(report: &Report) -> &'static str {
    match report {
        Report::Check(_) => "check",
        Report::Apply(_) => "apply",
        Report::Run(_) => "run",
        Report::Plan(_) => "plan",
        Report::MadePlan(_) => "madePlan",
        Report::Improve(_) => "improve",
        Report::Review(_) => "review",
        Report::Replay(_) => "replay",
        Report::Fix(_) => "fixedIssues",
        Report::Pull(_) => "pull",
        Report::PullStatus(_) => "pullStatus",
        Report::Queue(_) => "queue",
        Report::Watch(_) => "watch",
        Report::Patch(_) => "patch",
        Report::Log(_) => "log",
        Report::LogRun(_) => "logRun",
        Report::SharedRun(_) => "sharedRun",
        Report::Init(_) => "init",
        Report::Diff(_) => "diff",
        Report::Taken(_) => "taken",
        Report::Guards(_) => "guards",
        Report::GuardInfo(_) => "guardInfo",
        Report::Explain(ExplainReport::All(_)) => "explainAll",
        Report::Explain(ExplainReport::Guard(_)) => "explainGuard",
        Report::Explain(ExplainReport::Rule(_)) => "explainRule",
        Report::Pins(_) => "pins",
        Report::Author(report) => match **report {
            AuthorReport::NewGuard(_) => "newGuard",
            AuthorReport::Built(_) => "built",
            AuthorReport::CaseResults(_) => "caseResults",
            AuthorReport::Range(_) => "range",
            AuthorReport::BenchResult(_) => "benchResult",
            AuthorReport::Certificate(_) => "certificate",
        },
        Report::Doctor(_) => "doctor",
        Report::Install(_) => "install",
        Report::Audit(_) => "audit",
        Report::Submit(_) => "submit",
        Report::Fleet(_) => "fleet",
        Report::Failure(_) => "failure",
    }
}

/// The same schema that forbids keys which it does not list. What users validate with must take the reports of later versions.
fn closed(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(table) => {
            table.values_mut().for_each(|value| *value = closed(value.take()));
            if table.get("properties").is_some_and(Value::is_object) {
                table.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = closed(value.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    schema
}

/// The schema requires every key that the host always writes: a key that is lost, renamed, of another type or not listed fails.
#[test]
fn every_report_keeps_its_schema() {
    let published: Value = serde_json::from_str(include_str!("../../../docs/reports.schema.json")).unwrap();
    let mut schema = closed(published.clone());
    schema.as_object_mut().unwrap().remove("anyOf");
    for (name, report) in reports() {
        let reference = json!({"$ref": format!("#/$defs/{}", definition(&report))});
        assert!(published["anyOf"].as_array().unwrap().contains(&reference), "{name}");
        let mut schema = schema.clone();
        schema["$ref"] = reference["$ref"].clone();
        let value: Value = serde_json::from_slice(&render(&report, OutputFormat::Json, &LOOK)).unwrap();
        let errors: Vec<String> = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}: {value:#}");
    }
}

/// The keys and their order are what scripts were written against.
#[test]
fn the_json_of_the_design() {
    let text = String::from_utf8(render(&Report::Check(check()), OutputFormat::Json, &LOOK)).unwrap();
    assert!(text.starts_with(r#"{"schema_version":1,"verdict":"reject","base":"aaaa"#), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    let guard: Vec<_> = value["guards"][1].as_object().unwrap().keys().take(10).cloned().collect();
    let wanted = ["id", "g", "version", "digest", "verdict", "reason", "micros", "fuel", "cached", "findings"];
    assert_eq!(guard, wanted);
    let finding: Vec<_> = value["guards"][1]["findings"][0].as_object().unwrap().keys().take(7).cloned().collect();
    assert_eq!(finding, ["rule", "severity", "path", "line", "end_line", "message", "help"]);
}
