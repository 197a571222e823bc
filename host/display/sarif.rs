//! SARIF 2.1.0 for code scanning (OASIS, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use guardhost_core::change::{Allowance, AllowedFinding, Finding, Fix, Related, Severity};

use super::RuleMeanings;
use super::test_cases::{CaseOutcome, TestCase, check_of, test_cases};
use guardhost_report::Report;
use guardhost_report::escape;

/// Maximum characters of a message; code scanning shows about a thousand.
const MAX_TEXT: usize = 4_000;

pub fn render(report: &Report, meanings: RuleMeanings) -> Vec<u8> {
    let cases = test_cases(report);
    let mut rules: Vec<Value> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut results = Vec::new();
    for case in &cases {
        for finding in case.findings.iter() {
            let id = rule_id(case, finding);
            let rule = *index.entry(id.clone()).or_insert_with(|| {
                rules.push(rule(&id, case, finding, meanings));
                rules.len() - 1
            });
            let quote = finding.path.as_deref().zip(finding.line);
            let quote = quote.and_then(|(path, line)| check_of(report)?.quotes.line(path, line));
            let print = fingerprint(&id, finding, quote);
            let nth = seen.entry(print.clone()).and_modify(|nth| *nth += 1).or_insert(1);
            results.push(result(&id, rule, case, finding, &format!("{print}:{nth}")));
        }
        for AllowedFinding { finding, by } in case.allowed {
            let id = rule_id(case, finding);
            let rule = *index.entry(id.clone()).or_insert_with(|| {
                rules.push(rule(&id, case, finding, meanings));
                rules.len() - 1
            });
            let print = fingerprint(&id, finding, None);
            let nth = seen.entry(print.clone()).and_modify(|nth| *nth += 1).or_insert(1);
            let mut result = result(&id, rule, case, finding, &format!("{print}:{nth}"));
            result["suppressions"] = json!([suppression(by)]);
            results.push(result);
        }
    }
    let errors = cases.iter().filter(|case| case.outcome == CaseOutcome::Error);
    let notifications = errors.map(|case| {
        let reason = case.reason.as_deref().unwrap_or("it failed");
        json!({
            "level": if case.enforced { "error" } else { "warning" },
            "message": { "text": escape::block(&format!("{}: {reason}", case.id), MAX_TEXT) },
        })
    });
    let notifications: Vec<_> = notifications.collect();
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "guardhost",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "automationDetails": { "id": "guardhost/" },
            "results": results,
        }],
    });
    let has_columns = cases.iter().any(|case| case.findings.iter().any(|finding| finding.column.is_some()));
    if has_columns {
        log["runs"][0]["columnKind"] = "unicodeCodePoints".into();
    }
    escape::json(&log)
}

/// Section 3.35 of SARIF.
fn suppression(by: &Allowance) -> Value {
    match by {
        Allowance::Comment { reason, .. } => {
            json!({ "kind": "inSource", "justification": escape::inline(reason, MAX_TEXT) })
        }
        Allowance::Baseline => json!({ "kind": "external", "justification": "the baseline lists it" }),
    }
}

fn rule_id(case: &TestCase, finding: &Finding) -> String {
    escape::inline(&format!("{}/{}", case.id, finding.rule), 200)
}

fn rule(id: &str, case: &TestCase, finding: &Finding, meanings: RuleMeanings) -> Value {
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": id },
        "defaultConfiguration": { "level": level(case, finding) },
        "properties": { "guard": case.id, "mark": case.mark, "version": case.version, "digest": case.digest },
    });
    if let Some(meaning) = meanings(case.digest, &finding.rule) {
        rule["shortDescription"]["text"] = meaning.into();
        rule["fullDescription"] = json!({ "text": meaning });
        rule["help"] = json!({ "text": format!("host explain {id}") });
    }
    if let Some(url) = &finding.help_url {
        rule["helpUri"] = url.as_str().into();
    }
    rule
}

/// A monitored guard never blocks a change, so its findings are at most warnings.
fn level(case: &TestCase, finding: &Finding) -> &'static str {
    match finding.severity {
        Severity::Error if case.enforced => "error",
        Severity::Error | Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(id: &str, rule: usize, case: &TestCase, finding: &Finding, fingerprint: &str) -> Value {
    let help = finding.help.as_ref().map(|help| format!("\n\nHelp: {help}"));
    let text = format!("{}{}", finding.message, help.unwrap_or_default());
    let mut result = json!({
        "ruleId": id,
        "ruleIndex": rule,
        "level": level(case, finding),
        "message": { "text": escape::block(&text, MAX_TEXT) },
        "partialFingerprints": { "guardhost/v1": fingerprint },
    });
    if let Some(path) = &finding.path {
        let mut place = json!({ "artifactLocation": artifact(path) });
        if let Some(line) = finding.line.filter(|line| *line > 0) {
            let end = finding.end_line.unwrap_or(line).max(line);
            place["region"] = json!({ "startLine": line, "endLine": end });
            if let (Some(column), Some(end)) = (finding.column, finding.end_column) {
                place["region"]["startColumn"] = column.into();
                // SARIF's end column is the one after the last.
                place["region"]["endColumn"] = (u64::from(end) + 1).into();
            }
        }
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding.related.iter().map(related).collect();
    }
    if let Some(fix) = finding.fix.as_ref().and_then(fix) {
        result["fixes"] = json!([fix]);
    }
    result
}

fn related(place: &Related) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(&place.path),
            "region": { "startLine": place.line, "endLine": place.end_line },
        },
        "message": { "text": escape::inline(&place.message, 1_000) },
    })
}

/// None when a replacement is not UTF-8, since SARIF's inserted content is text.
fn fix(fix: &Fix) -> Option<Value> {
    let mut changes: Vec<(&str, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let text = std::str::from_utf8(&edit.replacement).ok()?;
        let replacement = json!({
            "deletedRegion": { "byteOffset": edit.start, "byteLength": edit.end.checked_sub(edit.start)? },
            "insertedContent": { "text": text },
        });
        match changes.iter_mut().find(|(path, _)| *path == edit.path) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((&edit.path, vec![replacement])),
        }
    }
    let changes = changes
        .into_iter()
        .map(|(path, replacements)| json!({ "artifactLocation": artifact(path), "replacements": replacements }));
    let changes: Vec<_> = changes.collect();
    // The schema wants at least one change.
    (!changes.is_empty())
        .then(|| json!({ "description": { "text": escape::inline(&fix.title, 500) }, "artifactChanges": changes }))
}

/// A relative reference (RFC 3986). Everything but unreserved characters and `/` is percent-encoded, so that no path can
/// be taken for a scheme, a query or a fragment.
fn artifact(path: &str) -> Value {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    json!({ "uri": uri, "uriBaseId": "%SRCROOT%" })
}

/// A hash of rule, path and quoted line (without a quote: the message without its digits). The line number is left out, so
/// that a finding keeps its fingerprint when lines above it come and go.
fn fingerprint(rule: &str, finding: &Finding, quote: Option<&str>) -> String {
    let what = match quote {
        Some(line) => line.trim().to_owned(),
        None => finding.message.chars().filter(|c| !c.is_ascii_digit()).collect(),
    };
    let mut sha = Sha256::new();
    for part in [rule, finding.path.as_deref().unwrap_or_default(), &what] {
        sha.update(part.len().to_le_bytes());
        sha.update(part);
    }
    sha.finalize()[..16].iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
