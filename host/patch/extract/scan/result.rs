//! The result of a call in a transcript, where its structure says that the call failed.

use super::super::json;
use super::super::lines::{Lines, blank, skip_blank};
use serde_json::Value;

/// The line after the result that stands below the call from `at` to `next`, if it says that the call failed: an object that marks the
/// error, or an observation that is one. Words elsewhere are judged when the account is closed.
pub(super) fn failure(lines: &Lines, at: usize, next: usize) -> Option<usize> {
    let below = skip_blank(lines, next);
    let line = lines.get(below)?;
    if line.trim_ascii_start().starts_with(b"{") {
        let (value, after) = json::value(lines, below)?;
        return is_error(&value).then_some(after);
    }
    // `Action: edit`, `Action Input: {…}`, `Observation: Error: …`, as ReAct has them.
    let is_action = lines[at].starts_with(b"Action Input:")
        && (0..at).rev().find(|at| !blank(lines[*at])).is_some_and(|above| lines[above].starts_with(b"Action:"));
    let observed = line.strip_prefix(b"Observation:")?.trim_ascii();
    (is_action && observed.to_ascii_lowercase().starts_with(b"error")).then_some(below + 1)
}

/// Anthropic's `is_error` of a result.
fn is_error(value: &Value) -> bool {
    let has = |key: &str, word: &str| value.get(key).and_then(Value::as_str) == Some(word);
    let is_result = has("type", "tool_result") || has("role", "tool");
    is_result && value.get("is_error") == Some(&Value::Bool(true))
}
