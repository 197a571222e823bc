//! Workflow commands for GitHub Actions, which become annotations, and the Markdown of a step summary.
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>)

use std::fmt::Write as _;

use guardhost_core::change::Finding;

use super::format_units;
use super::named_findings::{Level, failure};
use super::test_cases::{CaseOutcome, TestCase, test_cases};
use super::text;
use guardhost_report::escape;
use guardhost_report::{RefusalKind, Report};

/// Maximum characters of one annotation.
const MAX_TEXT: usize = 4_000;
/// Maximum findings in a step summary, which may have 1 MiB.
const MAX_ROWS: usize = 200;

/// Every line is a command of the host, so that no text from outside can start a line with one.
pub fn render(report: &Report) -> Vec<u8> {
    let mut out = String::new();
    for case in test_cases(report) {
        for finding in case.findings.iter() {
            annotate(&mut out, &case, finding);
        }
        if let Some(reason) = failure(&case) {
            command(&mut out, level_name(Level::from_case(&case)), &[("title", case.id.to_owned())], reason);
        }
        if case.outcome == CaseOutcome::Skipped {
            let reason = case.reason.as_deref().unwrap_or("skipped");
            command(&mut out, "debug", &[], &format!("{}: {reason}", case.id));
        }
    }
    let summary = tally(&test_cases(report));
    command(&mut out, "notice", &[("title", "guardhost".to_owned())], &summary);
    out.into_bytes()
}

fn annotate(out: &mut String, case: &TestCase, finding: &Finding) {
    let mut properties = Vec::new();
    if let Some(path) = &finding.path {
        properties.push(("file", path.clone()));
        if let Some(line) = finding.line {
            properties.push(("line", line.to_string()));
            properties.push(("endLine", finding.end_line.unwrap_or(line).max(line).to_string()));
            properties.extend(finding.column.map(|column| ("col", column.to_string())));
            properties.extend(finding.end_column.map(|column| ("endColumn", column.to_string())));
        }
    }
    properties.push(("title", format!("{}/{}", case.id, finding.rule)));
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    command(out, level_name(Level::from_finding(case, finding)), &properties, &format!("{}{help}", finding.message));
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

/// `::error file=a.md,line=3::text`: in the text `%`, CR and LF are percent-encoded, in a property `:` and `,` as well.
fn command(out: &mut String, name: &str, properties: &[(&str, String)], text: &str) {
    out.push_str("::");
    out.push_str(name);
    for (index, (key, value)) in properties.iter().enumerate() {
        let value = data(&escape::inline(value, 500)).replace(':', "%3A").replace(',', "%2C");
        let _ = write!(out, "{}{key}={value}", if index == 0 { ' ' } else { ',' });
    }
    let _ = writeln!(out, "::{}", data(&escape::block(text, MAX_TEXT)));
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// `2 passed, 1 rejected, 1 failed, 3 not applicable`; `done` for a report without test cases.
fn tally(cases: &[TestCase]) -> String {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    // It is nobody's mistake, and no guard said anything.
    let waiting = cases.iter().filter(|case| case.id == RefusalKind::NeedsApproval.as_str()).count();
    let parts = [
        (count(CaseOutcome::Pass), "passed"),
        (count(CaseOutcome::Fail) - waiting, "rejected"),
        (waiting, "waiting for an approval"),
        (count(CaseOutcome::Error), "failed"),
        (count(CaseOutcome::Skipped), "not applicable"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    if cases.is_empty() { "done".to_owned() } else { parts.collect::<Vec<_>>().join(", ") }
}

/// Markdown for `$GITHUB_STEP_SUMMARY`: the table of verdicts, then the findings.
pub fn summary(report: &Report) -> String {
    let cases = test_cases(report);
    let mut out =
        format!("### guardhost: {}\n\n| guard | verdict | time | reason |\n|---|---|---|---|\n", tally(&cases));
    for case in &cases {
        let verdict = match case.outcome {
            CaseOutcome::Pass => "pass",
            CaseOutcome::Fail => "**reject**",
            CaseOutcome::Error => "**error**",
            CaseOutcome::Skipped => "not applicable",
        };
        let monitored = if case.enforced { "" } else { " (monitor)" };
        let reason = case.reason.as_deref().map_or_else(|| text::headline(&case.findings), str::to_owned);
        let reason = markdown(&reason);
        let time = format_units::time(case.micros, true);
        let _ = writeln!(out, "| {} | {verdict}{monitored} | {time} | {reason} |", markdown(case.id));
    }
    out.push('\n');
    let findings: Vec<_> = cases.iter().flat_map(|case| case.findings.iter()).collect();
    for finding in findings.iter().take(MAX_ROWS) {
        let _ = writeln!(out, "- {}", markdown(&text::finding(finding)));
    }
    if findings.len() > MAX_ROWS {
        let _ = writeln!(out, "- … and {} more", findings.len() - MAX_ROWS);
    }
    out
}

/// One line, with Markdown's punctuation escaped.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in escape::inline(text, 1_000).chars() {
        if c.is_ascii_punctuation()
            && !matches!(c, '.' | ',' | ':' | '/' | '-' | '(' | ')' | '\'' | '"' | ';' | '?' | '%')
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
