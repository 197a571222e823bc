//! `expect.json`: what a guard should say of a case. The rules are those of `guard_sdk::testing`.

use guard_cases::Case;
use serde_json::{Map, Value, json};

use super::case;
use guardhost_core::change::{Finding, GuardVerdict};
use guardhost_core::error::{Context, Fault, Kind, Result};

pub const FILE: &str = "expect.json";

/// Keys of which the expectation names a part.
const CONTAINED: [&str; 3] = ["reason", "message", "help"];

/// What is wrong, one sentence each. A missing expectation is wrong too.
pub fn compare(case: &Case, said: &GuardVerdict) -> Result<Vec<String>> {
    let Some(expected) = case::json::<Map<String, Value>>(case, FILE)? else {
        return Ok(vec![format!("there is no {FILE}; write what it says now with: host guard test --update")]);
    };
    if !expected.contains_key("verdict") {
        return Ok(vec![format!("{FILE} names no verdict")]);
    }
    let mut wrong = Vec::new();
    keys("", &expected, &whole(said), &mut wrong);
    if !expected.contains_key("findings") && !said.findings().is_empty() {
        let found = said.findings().iter().map(line).collect::<Vec<_>>().join("; ");
        wrong.push(format!("no finding is expected, it has: {found}"));
    }
    Ok(wrong)
}

/// Writes what it said as what is expected, on disk only; false when that stood there already.
pub fn update(case: &Case, said: &GuardVerdict) -> Result<bool> {
    let now = serde_json::to_string_pretty(&whole(said))? + "\n";
    case.write(FILE, &now).with_context(|| Fault::new(Kind::Usage, format!("cannot write {}", case.place(FILE, 1))))
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

/// Only what is there: an absent key is null when it is looked up.
fn whole(said: &GuardVerdict) -> Value {
    let findings: Vec<Value> = said.findings().iter().map(finding).collect();
    let findings = if findings.is_empty() { Value::Null } else { findings.into() };
    compact(json!({ "verdict": said.word(), "reason": said.reason(), "findings": findings }))
}

fn finding(found: &Finding) -> Value {
    compact(json!({
        "rule": found.rule, "severity": found.severity, "path": found.path, "line": found.line, "end_line": found.end_line,
        "message": found.message, "help": found.help, "fix": found.fix.as_ref().map(|fix| &fix.title),
    }))
}

fn compact(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|_, value| !value.is_null());
    }
    value
}

fn line(found: &Finding) -> String {
    let place = found.path.as_deref().unwrap_or("the change");
    let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{} at {place}{line}: {}", found.rule, found.message)
}
