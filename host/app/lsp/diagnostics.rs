//! What the guards found, as diagnostics of the protocol.

use guardhost_core::change::Finding;
use guardhost_display::{Level, failure, message, named_findings, test_cases};
use guardhost_report::Report;
use lsp_types::{CodeDescription, Diagnostic, DiagnosticSeverity, NumberOrString, Range};

use super::judge::JudgedText;
use super::position::{ColumnUnit, guard_line, range};

/// The name beside each message.
const SOURCE: &str = "guardhost";

/// What one diagnostic says.
pub struct ShownFinding {
    /// `GUARD/RULE`, or what failed.
    pub code: String,
    pub level: Level,
    pub message: String,
    /// None where a guard failed, or the host: no finding speaks about that.
    pub finding: Option<Finding>,
}

/// Whatever counts, and all failures: a guard that failed must not look like one that passed.
pub fn shown(report: &Report) -> Vec<ShownFinding> {
    let cases = test_cases(report);
    let findings = named_findings(&cases, report).into_iter().filter(|named| named.allowed.is_none());
    let findings = findings.map(|named| ShownFinding {
        code: named.rule,
        level: named.level,
        message: message(named.finding),
        finding: Some(named.finding.clone()),
    });
    let failures = cases.iter().filter_map(|case| {
        let message = failure(case)?.to_owned();
        Some(ShownFinding { code: case.id.to_owned(), level: Level::from_case(case), message, finding: None })
    });
    findings.chain(failures).collect()
}

/// The diagnostic of a finding, where it stands in the text of the editor. One about another file, or about the whole change, stands at the
/// beginning and says which.
pub fn diagnostic(shown: &ShownFinding, judged: &JudgedText, text: &str, unit: ColumnUnit) -> Diagnostic {
    let finding = shown.finding.as_ref();
    let elsewhere = finding.and_then(|finding| finding.path.as_deref()).filter(|path| *path != judged.path);
    let message = match (elsewhere, finding.and_then(|finding| finding.line)) {
        (Some(path), Some(line)) => format!("{path}:{line}: {}", shown.message),
        (Some(path), None) => format!("{path}: {}", shown.message),
        (None, _) => shown.message.clone(),
    };
    let here = finding.filter(|_| elsewhere.is_none());
    let url = finding.and_then(|finding| finding.help_url.as_ref()?.parse().ok());
    Diagnostic {
        range: here.and_then(|finding| place(finding, text, unit)).unwrap_or_default(),
        severity: Some(match shown.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
            Level::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(shown.code.clone())),
        code_description: url.map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// From its first column to its last, or the text of its lines. None without a line that is there.
fn place(finding: &Finding, text: &str, unit: ColumnUnit) -> Option<Range> {
    let first = finding.line?;
    let last = finding.end_line.unwrap_or(first).max(first);
    let start = guard_line(text, first)?;
    let end = guard_line(text, last).unwrap_or_else(|| start.clone());
    let after = |line: &std::ops::Range<usize>, characters: u32| {
        let line_text = &text[line.clone()];
        line.start + line_text.char_indices().nth(characters as usize).map_or(line_text.len(), |(at, _)| at)
    };
    let indented = text[start.clone()].len() - text[start.clone()].trim_start().len();
    let from = finding.column.map_or(start.start + indented, |column| after(&start, column.saturating_sub(1)));
    let to = finding.end_column.map_or(end.end, |column| after(&end, column));
    Some(range(text, from..to.max(from), unit))
}
