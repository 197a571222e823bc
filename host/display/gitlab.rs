//! The report of GitLab's Code Quality: an array of findings (<https://docs.gitlab.com/ci/testing/code_quality/>).

use serde_json::{Value, json};

use guardhost_report::Report;
use guardhost_report::escape;

use super::named_findings::{Level, MAX_TEXT, NamedFinding, WHOLE_CHANGE, failure, message, named_findings};
use super::test_cases::{TestCase, test_cases};

pub fn render(report: &Report) -> Vec<u8> {
    let cases = test_cases(report);
    let findings = named_findings(&cases, report);
    let counting = findings.iter().filter(|named| named.allowed.is_none()).map(from_finding);
    let failures = cases.iter().filter_map(|case| Some(from_failure(case, failure(case)?)));
    escape::json(&counting.chain(failures).collect())
}

fn from_finding(named: &NamedFinding) -> Value {
    let finding = named.finding;
    let (path, line) = (finding.path.as_deref().unwrap_or(WHOLE_CHANGE), finding.line.unwrap_or(1));
    let mut issue = issue(&message(finding), &named.rule, &named.fingerprint, named.level, path, line);
    if let Some(end) = finding.end_line.filter(|end| *end > line) {
        issue["location"]["lines"]["end"] = end.into();
    }
    issue
}

/// A guard that failed, or a change that was refused: it has no finding, and must not look like a pass.
fn from_failure(case: &TestCase, reason: &str) -> Value {
    let id = escape::inline(case.id, 200);
    issue(&escape::block(reason, MAX_TEXT), &id, &format!("failed:{id}"), Level::from_case(case), WHOLE_CHANGE, 1)
}

fn issue(description: &str, check: &str, fingerprint: &str, level: Level, path: &str, line: u32) -> Value {
    let severity = match level {
        Level::Error => "major",
        Level::Warning => "minor",
        Level::Note => "info",
    };
    json!({
        "description": description,
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": { "path": path, "lines": { "begin": line.max(1) } },
    })
}
