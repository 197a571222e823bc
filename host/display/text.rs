//! Findings as plain text, for formats that have no fields for their parts.

use guardhost_core::change::{Finding, Severity};

use super::format_units;
use guardhost_report::escape;

/// Maximum characters of a message, and of a help text.
const MAX_TEXT: usize = 2_000;

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// `README.md:12-19`, or `README.md:12:5` with a column; empty for a finding about the whole change.
pub fn location(finding: &Finding) -> String {
    let Some(path) = &finding.path else { return String::new() };
    let path = escape::inline(path, 500);
    match (finding.line, finding.end_line) {
        (Some(line), Some(end)) if end > line => format!("{path}:{line}-{end}"),
        (Some(line), _) => match finding.column {
            Some(column) => format!("{path}:{line}:{column}"),
            None => format!("{path}:{line}"),
        },
        (None, _) => path,
    }
}

/// `README.md:12: error: message [rule]`, with the help on the next line.
pub fn finding(finding: &Finding) -> String {
    let place = match location(finding) {
        place if place.is_empty() => place,
        place => format!("{place}: "),
    };
    let severity = severity(finding.severity);
    let message = escape::block(&finding.message, MAX_TEXT);
    let rule = escape::inline(&finding.rule, 100);
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {}", escape::block(help, MAX_TEXT)));
    format!("{place}{severity}: {message} [{rule}]{}", help.unwrap_or_default())
}

/// `2 errors, 1 warning`.
pub fn headline(findings: &[Finding]) -> String {
    let all = [Severity::Error, Severity::Warning, Severity::Info];
    let counts = all.map(|level| (level, findings.iter().filter(|finding| finding.severity == level).count()));
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let words = counts.map(|(level, count)| match level {
        Severity::Info => format_units::count(*count, "remark"),
        level => format_units::count(*count, severity(*level)),
    });
    words.collect::<Vec<_>>().join(", ")
}
