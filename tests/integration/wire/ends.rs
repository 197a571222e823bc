//! Which scenarios are recorded whole, and what is recorded of the others.
//!
//! A whole recording holds every key, word and null of one variant of a report, or of a protocol. More of them held nothing more: a new key
//! changed 58 files that nobody could read. That every report has the keys of its type, the schema holds (`support/schema.rs`), for every
//! report that any test makes; what a scenario came to is a line of `tests/wire/ends.txt`.

use serde_json::Value;

pub const WHOLE: [&str; 51] = [
    // Reports, one a variant: with everything in it that the variant can have.
    "check-reject",
    "check-fixed",
    "apply-add-delete-rename",
    "apply-misfit",
    "patch-staged",
    "plan-layered",
    "plan-made",
    "improve",
    "audit-one-metric",
    "review-pr",
    "pr-open",
    "pr-status",
    "pr-watch",
    "pr-queue",
    "log",
    "log-run",
    "replay",
    "replay-commit",
    "init",
    "diff",
    "accept",
    "guard-list",
    "guard-info-guest",
    "explain",
    "explain-guard",
    "explain-rule",
    "guard-update",
    "guard-new",
    "guard-test",
    "guard-run",
    "guard-bench",
    "guard-certify",
    "install-created",
    "doctor",
    "check-rules-unknown-key",
    // Runs, with their traces and records: one that is accepted after every setback, and one with fixes.
    "run-committed",
    "run-fixed",
    // Other formats and protocols, in each of which a program reads them.
    "check-reject-sarif",
    "check-reject-junit",
    "check-reject-github",
    "check-error-sarif",
    "check-error-junit",
    "check-error-github",
    "hook-claude-denied",
    "hook-claude-stop",
    "hook-cursor-denied",
    "hook-gemini-denied",
    "run-record",
    "mcp",
    "mcp-stateless",
    "lsp",
];

/// Objects that several reports hold, known by some of their keys, with the recordings that hold them whole. Elsewhere they are recorded by what
/// they came to, so that a new key of evidence changes one recording and not twenty.
const SHARED: [(&[&str], &[&str]); 7] = [
    (&["verdict", "fuel", "findings"], &["check-reject"]),
    (&["verdict", "candidate", "guards"], &["check-reject", "check-fixed"]),
    (&["change_type", "lines_added"], &["apply-add-delete-rename"]),
    (&["kind", "code", "at"], &["apply-misfit"]),
    (&["input_tokens", "output_tokens"], &["run-committed", "run-record"]),
    (&["overall", "metrics"], &["audit-one-metric"]),
    (&["layers", "steps"], &["plan-layered"]),
];

/// Folds the shared objects in a recording that is not the one for them.
pub fn fold(name: &str, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_folded = |(keys, homes): &(&[&str], &[&str])| {
                !homes.contains(&name) && keys.iter().all(|key| fields.contains_key(*key))
            };
            match SHARED.iter().any(is_folded) {
                true => *value = decisive(value).into(),
                false => fields.values_mut().for_each(|value| fold(name, value)),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fold(name, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The keys whose values say what something came to. `id` is beside them, to say of what.
const DECISIVE: [&str; 23] = [
    "exit_code",
    "verdict",
    "unjudged",
    "outcome",
    "action",
    "applied",
    "strategy",
    "kind",
    "code",
    "rule",
    "state",
    "ok",
    "held",
    "certified",
    "same",
    "fits",
    "apply_status",
    "decision_type",
    "change_type",
    "event",
    "format",
    "judges",
    "id",
];

/// What a command came to: the values of the decisive keys, in the order of the output.
pub fn decisive(value: &Value) -> String {
    let mut found = Vec::new();
    collect(value, &mut found);
    found.join(" ")
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(word) if DECISIVE.contains(&&**key) && !is_made_up(word) => {
                        found.push(format!("{key}={word}"))
                    }
                    Value::Bool(_) | Value::Number(_) if DECISIVE.contains(&&**key) => {
                        found.push(format!("{key}={value}"))
                    }
                    other => collect(other, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An id of a run or an object.
fn is_made_up(word: &str) -> bool {
    word.is_empty() || word.contains(char::is_whitespace) || word.len() == 36 && word.matches('-').count() == 4
}
