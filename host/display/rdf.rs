//! The Reviewdog Diagnostic Format, whole (`rdjson`) and as one diagnostic a line (`rdjsonl`)
//! (<https://github.com/reviewdog/reviewdog/tree/master/proto/rdf>).

use serde_json::{Value, json};

use guardhost_core::change::{Finding, Quotes, TextPlace};
use guardhost_report::Report;
use guardhost_report::escape;

use super::named_findings::{Level, MAX_TEXT, NamedFinding, WHOLE_CHANGE, failure, message, named_findings, quotes_of};
use super::test_cases::{TestCase, test_cases};

pub fn whole(report: &Report) -> Vec<u8> {
    escape::json(&json!({ "source": source(), "diagnostics": diagnostics(report) }))
}

/// Without diagnostics no line at all: an empty one is no diagnostic.
pub fn lines(report: &Report) -> Vec<u8> {
    let line = |mut diagnostic: Value| {
        diagnostic["source"] = source();
        escape::json(&diagnostic)
    };
    diagnostics(report).into_iter().flat_map(line).collect()
}

fn source() -> Value {
    json!({ "name": "guardhost" })
}

fn diagnostics(report: &Report) -> Vec<Value> {
    let cases = test_cases(report);
    let (findings, quotes) = (named_findings(&cases, report), quotes_of(report));
    let counting = findings.iter().filter(|named| named.allowed.is_none()).map(|named| from_finding(named, quotes));
    let failures = cases.iter().filter_map(|case| Some(from_failure(case, failure(case)?)));
    counting.chain(failures).collect()
}

fn from_finding(named: &NamedFinding, quotes: Option<&Quotes>) -> Value {
    let finding = named.finding;
    let mut diagnostic = diagnostic(&message(finding), &named.rule, named.level);
    if let Some(url) = &finding.help_url {
        diagnostic["code"]["url"] = url.as_str().into();
    }
    if let Some(path) = &finding.path {
        diagnostic["location"]["path"] = path.as_str().into();
        if let Some(line) = finding.line.filter(|line| *line > 0) {
            diagnostic["location"]["range"] = range(finding, line, quotes);
        }
    }
    if let Some(made) = quotes.and_then(|quotes| quotes.replacement(finding)) {
        let range = json!({ "start": position(made.start), "end": position(made.end) });
        diagnostic["suggestions"] = json!([{ "range": range, "text": made.text }]);
    }
    diagnostic
}

/// A guard that failed, or a change that was refused: it has no finding, and must not look like a pass.
fn from_failure(case: &TestCase, reason: &str) -> Value {
    diagnostic(&escape::block(reason, MAX_TEXT), &escape::inline(case.id, 200), Level::from_case(case))
}

fn diagnostic(message: &str, rule: &str, level: Level) -> Value {
    let severity = match level {
        Level::Error => "ERROR",
        Level::Warning => "WARNING",
        Level::Note => "INFO",
    };
    json!({
        "message": message,
        "location": { "path": WHOLE_CHANGE },
        "severity": severity,
        "code": { "value": rule },
    })
}

/// Lines, and columns where both are known in bytes.
fn range(finding: &Finding, line: u32, quotes: Option<&Quotes>) -> Value {
    let last = finding.end_line.unwrap_or(line).max(line);
    let text = |line: u32| quotes?.line(finding.path.as_deref()?, line);
    let columns = || {
        let start = byte_column(text(line)?, finding.column?)?;
        // The last column of a finding is inclusive, the end of a range is not.
        let end = byte_column(text(last)?, finding.end_column?.checked_add(1)?)?;
        Some((TextPlace { line, column: start }, TextPlace { line: last, column: end }))
    };
    match columns() {
        Some((start, end)) => json!({ "start": position(start), "end": position(end) }),
        None => json!({ "start": { "line": line }, "end": { "line": last } }),
    }
}

fn position(place: TextPlace) -> Value {
    json!({ "line": place.line, "column": place.column })
}

/// The column in bytes of one in characters, both from 1. None beyond the text, or where its bytes are not those of the file.
fn byte_column(line: &str, column: u32) -> Option<u32> {
    let before = usize::try_from(column.checked_sub(1)?).ok()?;
    if line.contains('\u{fffd}') || line.chars().count() < before {
        return None;
    }
    let bytes: usize = line.chars().take(before).map(char::len_utf8).sum();
    u32::try_from(bytes + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::byte_column;

    #[test]
    fn columns_are_counted_in_bytes() {
        let line = "a\u{10400}b";
        assert_eq!([1, 2, 3, 4].map(|column| byte_column(line, column)), [Some(1), Some(2), Some(6), Some(7)]);
        assert_eq!([0, 5].map(|column| byte_column(line, column)), [None, None]);
        assert_eq!(byte_column("a\u{fffd}", 1), None);
    }
}
