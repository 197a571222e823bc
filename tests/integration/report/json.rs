//! The JSON of every report.

use guardhost_display::{OutputFormat, render};
use guardhost_report::{AuthorReport, ExplainReport, Report};
use serde_json::Value;

use super::samples::{check::check, reports};
use crate::integration::display::LOOK;
use crate::support::schema::{closed, errors, report_names};

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
        Report::LogRun { .. } => "logRun",
        Report::SharedRun { .. } => "sharedRun",
        Report::Backtest(_) => "backtested",
        Report::Suggest(_) => "suggested",
        Report::Init(_) => "init",
        Report::Diff(_) => "diff",
        Report::Taken(_) => "taken",
        Report::Guards(_) => "guards",
        Report::GuardInfo { .. } => "guardInfo",
        Report::LanguageInfo { .. } => "languageInfo",
        Report::Explain(ExplainReport::All { .. }) => "explainAll",
        Report::Explain(ExplainReport::Guard { .. }) => "explainGuard",
        Report::Explain(ExplainReport::Rule { .. }) => "explainRule",
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
        Report::Stats(_) => "stats",
        Report::Failure { .. } => "failure",
    }
}

/// The schema requires every key that the host always writes: a key that is lost, of another type or not listed fails.
#[test]
fn every_report_keeps_its_schema() {
    let names = report_names();
    for (name, report) in reports() {
        let definition = definition(&report);
        assert!(names.iter().any(|known| known == definition), "{name}: {names:?}");
        let value: Value = serde_json::from_slice(&render(&report, OutputFormat::Json, &LOOK)).unwrap();
        assert_eq!(errors(&closed(definition), &value), Vec::<String>::new(), "{name}: {value:#}");
    }
}

/// A schema that takes anything holds nothing.
#[test]
fn the_schema_takes_no_other_keys() {
    for (name, report) in reports() {
        let definition = definition(&report);
        let validator = closed(definition);
        let value: Value = serde_json::from_slice(&render(&report, OutputFormat::Json, &LOOK)).unwrap();
        let mut more = value.clone();
        more["unlisted"] = true.into();
        assert!(!validator.is_valid(&more), "{name} with one more key");
        for key in value.as_object().unwrap().keys().filter(|key| *key != "schema_version") {
            let mut other = value.clone();
            other[key] = serde_json::json!({ "unlisted": true });
            assert!(
                !validator.is_valid(&other) || FREE.contains(&(definition, key)),
                "{name} with another type of {key}"
            );
        }
    }
    let mut nested: Value =
        serde_json::from_slice(&render(&Report::Check(check()), OutputFormat::Json, &LOOK)).unwrap();
    nested["guards"][1]["findings"][0]["unlisted"] = true.into();
    assert!(!closed("check").is_valid(&nested), "a finding with one more key");
}

/// Keys whose values are not the host's: what a plan was made from, and the check of another host.
const FREE: [(&str, &str); 2] = [("madePlan", "context"), ("submit", "check")];

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
