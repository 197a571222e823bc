//! GitHub Actions: workflow commands that become annotations, and the text of a step summary.
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>)

use std::fmt::Write as _;

use guardhost_core::change::{Finding, Severity};

use super::cases::{Case, Outcome, cases};
use super::format_units;
use super::text;
use guardhost_report::Report;
use guardhost_report::escape;

/// Characters of one annotation.
const MAX_TEXT: usize = 4_000;
/// Findings in a step summary; a summary may have 1 MiB.
const MAX_ROWS: usize = 200;

/// Every line is a command, so that no text of others begins one.
pub fn render(report: &Report) -> Vec<u8> {
    let mut out = String::new();
    for case in cases(report) {
        for finding in case.findings.iter() {
            annotate(&mut out, &case, finding);
        }
        let reason = case.reason.as_deref().unwrap_or("it failed");
        match case.outcome {
            Outcome::Error => {
                let level = if case.enforced { "error" } else { "warning" };
                command(&mut out, level, &[("title", case.id.to_owned())], reason);
            }
            Outcome::Skipped => command(&mut out, "debug", &[], &format!("{}: {reason}", case.id)),
            Outcome::Pass | Outcome::Fail => {}
        }
    }
    let summary = tally(&cases(report));
    command(&mut out, "notice", &[("title", "guardhost".to_owned())], &summary);
    out.into_bytes()
}

fn annotate(out: &mut String, case: &Case, finding: &Finding) {
    let level = match finding.severity {
        Severity::Error if case.enforced => "error",
        Severity::Error | Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = Vec::new();
    if let Some(path) = &finding.path {
        properties.push(("file", path.clone()));
        if let Some(line) = finding.line {
            properties.push(("line", line.to_string()));
            properties.push(("endLine", finding.end_line.unwrap_or(line).max(line).to_string()));
        }
    }
    properties.push(("title", format!("{}/{}", case.id, finding.rule)));
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    command(out, level, &properties, &format!("{}{help}", finding.message));
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

fn tally(cases: &[Case]) -> String {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let parts = [
        (count(Outcome::Pass), "passed"),
        (count(Outcome::Fail), "said no"),
        (count(Outcome::Error), "failed"),
        (count(Outcome::Skipped), "not applicable"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Markdown for `$GITHUB_STEP_SUMMARY`: the verdict table, then the findings.
pub fn summary(report: &Report) -> String {
    let cases = cases(report);
    let mut out =
        format!("### guardhost: {}\n\n| guard | verdict | time | reason |\n|---|---|---|---|\n", tally(&cases));
    for case in &cases {
        let verdict = match case.outcome {
            Outcome::Pass => "pass",
            Outcome::Fail => "**reject**",
            Outcome::Error => "**error**",
            Outcome::Skipped => "not applicable",
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

/// One line of text that Markdown shows as it is.
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
