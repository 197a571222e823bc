//! GitLab's Code Quality and reviewdog's formats: what their definitions demand, and that a suggestion is the fix.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use guardhost_core::change::{Finding, GuardVerdict, Severity};
use guardhost_display::{OutputFormat, render};
use guardhost_report::Report;
use serde_json::Value;

use super::LOOK;
use super::sarif::is_sarif;
use crate::integration::report::samples::{check::check, reports};
use crate::support::cli::host;
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

fn value(report: &Report, format: OutputFormat) -> Value {
    serde_json::from_slice(&render(report, format, &LOOK)).unwrap()
}

/// By its documentation: five fields, one of five severities, and fingerprints that differ.
pub fn is_code_quality(bytes: &[u8]) {
    let issues: Value = serde_json::from_slice(bytes).unwrap();
    let mut seen = BTreeSet::new();
    for issue in issues.as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        text(&issue["description"]);
        text(&issue["check_name"]);
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&&*text(&issue["severity"])), "{issue}");
        text(&issue["location"]["path"]);
        assert!(issue["location"]["lines"]["begin"].as_u64().unwrap() >= 1, "{issue}");
        assert!(seen.insert(text(&issue["fingerprint"])), "{issue}");
    }
}

#[test]
fn every_report_has_the_form() {
    for (name, report) in reports() {
        is_code_quality(&render(&report, OutputFormat::Gitlab, &LOOK));
        // One line for each diagnostic, which names its source itself.
        let whole = value(&report, OutputFormat::Rdjson);
        let lines = render(&report, OutputFormat::Rdjsonl, &LOOK);
        let lines: Vec<Value> = String::from_utf8(lines)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .inspect(|line: &Value| assert_eq!(line["source"]["name"], "guardhost"))
            .map(|mut line: Value| {
                line.as_object_mut().unwrap().remove("source");
                line
            })
            .collect();
        assert_eq!(whole["diagnostics"].as_array().unwrap(), &lines, "{name}");
    }
}

/// A failure without a finding is not silent, and what is allowed is not told.
#[test]
fn what_failed_is_told_and_what_is_allowed_is_not() {
    let said = |format| String::from_utf8(render(&Report::Check(check()), format, &LOOK)).unwrap();
    let sarif: Value = serde_json::from_str(&said(OutputFormat::Sarif)).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let counting = results.iter().filter(|result| result.get("suppressions").is_none()).count();
    let errors = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().len();
    assert!(counting < results.len() && errors > 0, "the sample has both: {sarif}");
    let gitlab: Value = serde_json::from_str(&said(OutputFormat::Gitlab)).unwrap();
    assert_eq!(gitlab.as_array().unwrap().len(), counting + errors);
    let prints = |result: &Value| result["partialFingerprints"]["guardhost/v1"].clone();
    let of_gitlab: Vec<_> = gitlab.as_array().unwrap().iter().map(|issue| issue["fingerprint"].clone()).collect();
    let counted = results.iter().filter(|result| result.get("suppressions").is_none());
    assert!(counted.map(prints).all(|print| of_gitlab.contains(&print)), "one problem has one fingerprint");
    assert_eq!(said(OutputFormat::Rdjsonl).lines().count(), counting + errors);
}

#[test]
fn the_diagnostics_have_the_form_that_a_validator_wants() {
    let (Some(validator), Some(_)) = (needs(Tool::RdformatValidator), needs(Tool::Node)) else { return };
    let validate = |text: &[u8]| {
        let mut command = Command::new(&validator);
        command.args(["--strict", "--no-extra-fields", "--silent"]).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text).unwrap();
        child.wait_with_output().unwrap()
    };
    for (name, report) in reports().into_iter().filter(|(name, _)| name.starts_with("check")) {
        let text = render(&report, OutputFormat::Rdjson, &LOOK);
        let ran = validate(&text);
        assert!(ran.status.success(), "{name}: {ran:?}");
    }
    let wrong = br#"{"diagnostics":[{"message":"m","severity":"FATAL"}]}"#;
    assert!(!validate(wrong).status.success(), "it takes everything");
}

/// The suggestion, placed by lines and columns as reviewdog does it, gives what `--fix` gives.
#[test]
fn a_suggestion_is_the_fix() {
    let before = "{\n  \"ä\": 1,\n  \"b\": [1, 2,],\n}\n";
    let repo = TestRepo::with(&[("a.json", "{}\n")]);
    repo.write("a.json", before);
    repo.stage_all();
    let report = host(repo.path(), &["check", "--staged", "--format", "rdjson"]).expect(1).json();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    assert!(diagnostics.iter().all(|found| found["severity"] == "ERROR"), "{report}");
    let mut suggestions: Vec<&Value> = diagnostics.iter().map(|found| &found["suggestions"][0]).collect();
    let line = |suggestion: &Value, end: &str| suggestion["range"][end]["line"].as_u64().unwrap() as usize;
    suggestions.sort_by_key(|suggestion| std::cmp::Reverse(line(suggestion, "start")));
    let mut text = before.to_owned();
    for suggestion in suggestions {
        let at = |end: &str| {
            let start: usize = before.split_inclusive('\n').take(line(suggestion, end) - 1).map(str::len).sum();
            start + suggestion["range"][end]["column"].as_u64().unwrap() as usize - 1
        };
        text.replace_range(at("start")..at("end"), suggestion["text"].as_str().unwrap());
    }
    host(repo.path(), &["check", "--staged", "--fix"]).expect(0);
    assert_eq!(text.as_bytes(), repo.read("a.json"), "{report}");
    assert_ne!(text, before);
}

/// Code scanning refuses a run with more than 25,000 results. Nothing failed because of it.
#[test]
fn a_log_is_cut_to_what_code_scanning_takes() {
    let mut check = check();
    let finding = |at: u32| {
        let severity = if at.is_multiple_of(3) { Severity::Error } else { Severity::Warning };
        Finding { path: Some("a.py".to_owned()), line: Some(at + 1), ..Finding::new("r", severity, format!("m{at}")) }
    };
    check.judgement.evidence.truncate(1);
    check.judgement.evidence[0].allowed.clear();
    check.judgement.evidence[0].verdict = GuardVerdict::Reject((0..30_000).map(finding).collect());
    let bytes = render(&Report::Check(check), OutputFormat::Sarif, &LOOK);
    is_sarif(&bytes);
    let log: Value = serde_json::from_slice(&bytes).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let errors = results.iter().filter(|result| result["level"] == "error").count();
    assert_eq!((results.len(), errors), (25_000, 10_000));
    let lines: Vec<u64> = results
        .iter()
        .map(|found| found["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap())
        .collect();
    assert!(lines.is_sorted(), "in the order of the report");
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let said = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
    assert!(said.starts_with("5000 results are left out (5000 warning)"), "{said}");
}
