//! `expect.json`: what a guard should say of a case.

use guard_cases::Case;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::finding::MORE;
use crate::{About, Finding, Related, Severity, Verdict};

type Said = Result<Verdict, String>;

const FILE: &str = "expect.json";

/// Keys of which the expectation names a part.
const CONTAINED: [&str; 3] = ["reason", "message", "help"];

/// What is wrong with any answer, whatever was expected: what the host would call an error of the guard, and a rule that the guard
/// does not say that it has.
pub(super) fn contract(said: &Said, about: &About) -> Result<(), String> {
    let findings = findings(said);
    let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);
    match said {
        Ok(Verdict::Reject(_)) if !has_error => return Err("it rejects without a finding of severity error".into()),
        Ok(Verdict::Pass(_)) if has_error => return Err("it passes with a finding of severity error".into()),
        _ => {}
    }
    let is_known = |rule: &str| rule == MORE || about.rules.iter().any(|known| known.id == rule);
    match findings.iter().find(|finding| !is_known(&finding.rule)) {
        Some(finding) => Err(format!("it finds `{}`, which is not among the rules of its ABOUT", finding.rule)),
        None => Ok(()),
    }
}

pub(super) fn write(case: &Case, said: &Said) -> Result<(), String> {
    let text = serde_json::to_string_pretty(&as_json(said)).map_err(|error| error.to_string())?;
    case.write(FILE, &(text + "\n")).map(|_| ()).map_err(|error| error.to_string())
}

/// Nothing more and nothing less.
pub(super) fn same(case: &Case, said: &Said) -> Result<(), String> {
    let expected: Value = expected(case)?;
    let found = as_json(said);
    if expected == found { Ok(()) } else { Err(format!("{expected:#} is expected, it is {found:#}")) }
}

pub(super) fn compare(case: &Case, said: &Said) -> Result<(), String> {
    let expected: Map<String, Value> = expected(case)?;
    if !expected.contains_key("verdict") {
        return Err("expect.json names no verdict".into());
    }
    let found = as_json(said);
    let mut wrong = Vec::new();
    compare_keys("", &expected, &found, &mut wrong);
    if !expected.contains_key("findings") && !findings(said).is_empty() {
        wrong.push("it has findings, and none is expected".into());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let found = serde_json::to_string_pretty(&found).map_err(|error| error.to_string())?;
    Err(format!("{}\n{found}", wrong.join("\n")))
}

fn expected<T: DeserializeOwned>(case: &Case) -> Result<T, String> {
    let text = case.text(FILE).map_err(|error| error.to_string())?.ok_or("expect.json: No such file")?;
    serde_json::from_str(text).map_err(|error| format!("{}: {error}", case.place(FILE, error.line())))
}

fn compare_keys(at: &str, expected: &Map<String, Value>, found: &Value, wrong: &mut Vec<String>) {
    for (key, expected) in expected {
        match (expected, &found[key]) {
            (Value::Array(expected), Value::Array(found)) if key == "findings" => {
                if expected.len() != found.len() {
                    wrong.push(format!("{} findings are expected, it has {}", expected.len(), found.len()));
                }
                for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                    match expected.as_object() {
                        Some(expected) => compare_keys(&format!("findings[{index}]."), expected, found, wrong),
                        None => wrong.push(format!("findings[{index}] of expect.json is not an object")),
                    }
                }
            }
            (Value::String(part), Value::String(whole))
                if CONTAINED.contains(&key.as_str()) && whole.contains(part) => {}
            (expected, found) if expected == found => {}
            (expected, found) => wrong.push(format!("{at}{key}: {expected} is expected, it is {found}")),
        }
    }
}

pub(super) fn findings(said: &Said) -> &[Finding] {
    match said {
        Ok(Verdict::Pass(findings) | Verdict::Reject(findings)) => findings,
        _ => &[],
    }
}

/// Only what is there: an absent key is null when it is looked up.
fn as_json(said: &Said) -> Value {
    let (verdict, reason) = match said {
        Ok(Verdict::Pass(_)) => ("pass", None),
        Ok(Verdict::Reject(_)) => ("reject", None),
        Ok(Verdict::NotApplicable(reason)) => ("not-applicable", Some(reason)),
        Err(error) => ("error", Some(error)),
    };
    let findings: Vec<Value> = findings(said).iter().map(finding).collect();
    let findings = if findings.is_empty() { Value::Null } else { findings.into() };
    compact(json!({ "verdict": verdict, "reason": reason, "findings": findings }))
}

fn finding(finding: &Finding) -> Value {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    // As the host reports it: only when there is more than one line.
    let end_line = finding.end_line.filter(|end| Some(*end) != finding.line);
    let related: Vec<Value> = finding.related.iter().map(related).collect();
    let attributes: Map<String, Value> =
        finding.attributes.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    compact(json!({
        "rule": finding.rule, "severity": severity, "path": finding.path, "line": finding.line, "end_line": end_line,
        "column": finding.column, "end_column": finding.end_column,
        "message": finding.message, "help": finding.help, "fix": finding.fix.as_ref().map(|fix| &fix.title),
        "related": if related.is_empty() { Value::Null } else { related.into() },
        "attributes": if attributes.is_empty() { Value::Null } else { attributes.into() },
    }))
}

fn related(related: &Related) -> Value {
    let (line, end_line) = (related.lines.start(), related.lines.end());
    json!({ "path": related.path, "line": line, "end_line": end_line, "message": related.message })
}

fn compact(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
    value
}
