//! `expect.json`: the expected verdict on a case. `guard_sdk::testing` compares by the same rules.

use guard_cases::Case;
use serde_json::{Map, Value, json};

use super::case;
use guardhost_core::change::{Finding, GuardVerdict};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

pub const FILE: &str = "expect.json";

/// Keys whose expected text need only be contained in the actual one.
const CONTAINED: [&str; 3] = ["reason", "message", "help"];

/// The differences, one sentence each. A missing expectation is one, too.
pub fn compare(case: &Case, actual: &GuardVerdict) -> Result<Vec<String>> {
    let missing = || vec![format!("there is no {FILE}; write what it says now with: host guard test --update")];
    Ok(differences(case, actual)?.unwrap_or_else(missing))
}

/// None: nothing is expected yet.
pub fn differences(case: &Case, actual: &GuardVerdict) -> Result<Option<Vec<String>>> {
    let Some(expected) = case::json::<Map<String, Value>>(case, FILE)? else { return Ok(None) };
    if !expected.contains_key("verdict") {
        return Ok(Some(vec![format!("{FILE} names no verdict")]));
    }
    let mut wrong = Vec::new();
    keys("", &expected, &to_json(actual), &mut wrong);
    if !expected.contains_key("findings") && !actual.findings().is_empty() {
        let found = actual.findings().iter().map(summary).collect::<Vec<_>>().join("; ");
        wrong.push(format!("no finding is expected, it has: {found}"));
    }
    Ok(Some(wrong))
}

/// Writes the actual verdict to `expect.json`; false when the file had this content already.
pub fn update(case: &Case, actual: &GuardVerdict) -> Result<bool> {
    let now = serde_json::to_string_pretty(&to_json(actual))? + "\n";
    case.write(FILE, &now)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write {}", case.place(FILE, 1))))
}

fn keys(at: &str, expected: &Map<String, Value>, found: &Value, wrong: &mut Vec<String>) {
    for (key, expected) in expected {
        match (expected, &found[key]) {
            (Value::Array(expected), found) if key == "findings" && at.is_empty() => {
                let none = Vec::new();
                let found = found.as_array().unwrap_or(&none);
                if expected.len() != found.len() {
                    wrong.push(format!("{} findings are expected, it has {}", expected.len(), found.len()));
                }
                for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                    match expected.as_object() {
                        Some(expected) => keys(&format!("findings[{index}]."), expected, found, wrong),
                        None => wrong.push(format!("findings[{index}] of {FILE} is not an object")),
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

/// Without null values: looking up an absent key gives null as well.
fn to_json(actual: &GuardVerdict) -> Value {
    let findings: Vec<Value> = actual.findings().iter().map(finding).collect();
    let findings = if findings.is_empty() { Value::Null } else { findings.into() };
    compact(json!({ "verdict": actual.as_str(), "reason": actual.reason(), "findings": findings }))
}

fn finding(found: &Finding) -> Value {
    compact(json!({
        "rule": found.rule, "severity": found.severity, "path": found.path, "line": found.line, "end_line": found.end_line,
        "column": found.column, "end_column": found.end_column,
        "message": found.message, "help": found.help, "fix": found.fix.as_ref().map(|fix| &fix.title),
        "related": if found.related.is_empty() { Value::Null } else { json!(found.related) },
    }))
}

fn compact(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
    value
}

fn summary(found: &Finding) -> String {
    let place = found.path.as_deref().unwrap_or("the change");
    let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{} at {place}{line}: {}", found.rule, found.message)
}
