//! SARIF 2.1.0 for code scanning (OASIS, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use guardhost_core::change::{Allowance, Finding, Fix, Related};

use super::RuleMeanings;
use super::named_findings::{Level, MAX_TEXT, NamedFinding, message, named_findings};
use super::test_cases::{CaseOutcome, test_cases};
use guardhost_report::Report;
use guardhost_report::escape;

/// What code scanning takes of one run; it refuses a file with more
/// (<https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning>). It takes as
/// many rules, and there is no more than one for each result. Of tags there are none, of locations one for each result and few that are
/// related.
const MAX_RESULTS: usize = 25_000;

pub fn render(report: &Report, meanings: RuleMeanings) -> Vec<u8> {
    let cases = test_cases(report);
    let mut findings = named_findings(&cases, report);
    let cut = keep_the_most_severe(&mut findings, MAX_RESULTS);
    let mut rules: Vec<Value> = Vec::new();
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut results = Vec::new();
    for named in &findings {
        let rule = *index.entry(&named.rule).or_insert_with(|| {
            rules.push(rule(named, meanings));
            rules.len() - 1
        });
        results.push(result(named, rule));
    }
    let errors = cases.iter().filter(|case| case.outcome == CaseOutcome::Error);
    let notifications = errors.map(|case| {
        let reason = case.reason.as_deref().unwrap_or("it failed");
        json!({
            "level": if case.enforced { "error" } else { "warning" },
            "message": { "text": escape::block(&format!("{}: {reason}", case.id), MAX_TEXT) },
        })
    });
    let mut notifications: Vec<_> = notifications.collect();
    // What is left out for length failed nowhere.
    let is_successful = notifications.is_empty();
    notifications.extend(cut.map(|what| json!({ "level": "warning", "message": { "text": what } })));
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
                "executionSuccessful": is_successful,
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

/// Removes what is more than `max`: first what is allowed, then the least severe, and of these the last. Returns what was removed, in words.
fn keep_the_most_severe(findings: &mut Vec<NamedFinding>, max: usize) -> Option<String> {
    let more = findings.len().checked_sub(max).filter(|more| *more > 0)?;
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|at| (findings[*at].allowed.is_some(), findings[*at].level));
    let mut is_kept = vec![false; findings.len()];
    order[..max].iter().for_each(|at| is_kept[*at] = true);
    let removed = |level| {
        let of_level = findings.iter().zip(&is_kept).filter(|(named, kept)| !**kept && named.level == level);
        of_level.filter(|(named, _)| named.allowed.is_none()).count()
    };
    let counts = [Level::Error, Level::Warning, Level::Note].map(|level| (removed(level), level_name(level)));
    let allowed = more - counts.iter().map(|(count, _)| count).sum::<usize>();
    let parts = counts.into_iter().chain([(allowed, "allowed")]).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    let mut kept = is_kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or(true));
    Some(format!("{more} results are left out ({}), because code scanning takes {max} of one run", parts.join(", ")))
}

fn rule(named: &NamedFinding, meanings: RuleMeanings) -> Value {
    let NamedFinding { case, finding, rule: id, .. } = named;
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": id },
        "defaultConfiguration": { "level": level_name(named.level) },
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

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn result(named: &NamedFinding, rule: usize) -> Value {
    let finding: &Finding = named.finding;
    let mut result = json!({
        "ruleId": named.rule,
        "ruleIndex": rule,
        "level": level_name(named.level),
        "message": { "text": message(finding) },
        "partialFingerprints": { "guardhost/v1": named.fingerprint },
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
    if let Some(by) = named.allowed {
        result["suppressions"] = json!([suppression(by)]);
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

#[cfg(test)]
mod tests {
    use guardhost_core::change::{Allowance, Finding, Severity};

    use super::super::named_findings::{Level, NamedFinding};
    use super::super::test_cases::{CaseOutcome, TestCase};
    use super::keep_the_most_severe;

    #[test]
    fn the_least_severe_and_the_last_are_left_out() {
        let case = TestCase::new("g", CaseOutcome::Fail);
        let finding = Finding::new("r", Severity::Error, "m");
        let by = Allowance::Baseline;
        let named = |(at, (level, allowed)): (usize, &(Level, bool))| NamedFinding {
            case: &case,
            finding: &finding,
            allowed: allowed.then_some(&by),
            rule: at.to_string(),
            level: *level,
            fingerprint: String::new(),
        };
        let levels = [
            (Level::Note, false),
            (Level::Error, true),
            (Level::Warning, false),
            (Level::Error, false),
            (Level::Warning, false),
        ];
        let kept = |max: usize| {
            let mut findings: Vec<_> = levels.iter().enumerate().map(named).collect();
            let cut = keep_the_most_severe(&mut findings, max);
            (findings.iter().map(|named| named.rule.clone()).collect::<String>(), cut)
        };
        assert_eq!(kept(5), ("01234".to_owned(), None));
        assert_eq!(kept(4).0, "0234");
        assert_eq!(kept(3).0, "234");
        let (rules, cut) = kept(2);
        assert_eq!(rules, "23");
        let cut = cut.unwrap();
        assert!(cut.starts_with("3 results are left out (1 warning, 1 note, 1 allowed)"), "{cut}");
    }
}
