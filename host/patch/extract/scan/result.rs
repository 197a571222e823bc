//! The result of a call in a transcript, where its structure says that the call failed.

use super::super::account::reports_failure;
use super::super::json;
use super::super::lines::{Lines, blank, skip_blank};
use super::super::names;
use bstr::ByteSlice;
use serde_json::Value;

/// What the result below a call says of it.
pub(super) enum Outcome {
    /// There is no result, or none that speaks of a failure.
    Made,
    /// It failed. The line below the result.
    Failed(usize),
    /// It may have failed. The line of the result.
    Unclear(usize),
}

/// Lines of a result that are looked through for its end.
const LONGEST: usize = 400;

/// Elements that hold the result of a call.
const RESULTS: [&str; 12] = [
    "function_results",
    "function_result",
    "tool_results",
    "tool_result",
    "tool_response",
    "tool_output",
    "result",
    "results",
    "response",
    "output",
    "observation",
    "error",
];

/// What the result says that stands below the call from `at` to `next`. Words elsewhere are judged when the account is closed.
pub(super) fn outcome(lines: &Lines, at: usize, next: usize) -> Outcome {
    let below = below_frame(lines, next);
    let Some(line) = lines.get(below) else { return Outcome::Made };
    match line.trim_ascii_start().first() {
        Some(b'{') => match json::value(lines, below) {
            Some((value, after)) if is_error(&value) => Outcome::Failed(after),
            Some(_) | None => Outcome::Made,
        },
        Some(b'<') => element(lines, below),
        Some(_) | None => {
            // `Action: edit`, `Action Input: {…}`, `Observation: Error: …`, as ReAct has them.
            let is_action = lines[at].starts_with(b"Action Input:")
                && (0..at)
                    .rev()
                    .find(|at| !blank(lines[*at]))
                    .is_some_and(|above| lines[above].starts_with(b"Action:"));
            let observed = line.strip_prefix(b"Observation:").map(<[u8]>::trim_ascii);
            match observed.is_some_and(|text| is_action && begins_with_error(&text.to_str_lossy())) {
                true => Outcome::Failed(below + 1),
                false => Outcome::Made,
            }
        }
    }
}

/// The first line below that neither ends a call nor is blank.
fn below_frame(lines: &Lines, next: usize) -> usize {
    let mut below = skip_blank(lines, next);
    while let Some(line) = lines.get(below).map(|line| line.trim_ascii()) {
        let is_rest = line.starts_with(b"</") || line.starts_with(b"<parameter") && line.ends_with(b"</parameter>");
        if !is_rest || names::in_tag(line).is_some() {
            break;
        }
        below = skip_blank(lines, below + 1);
    }
    below
}

/// An element that holds a result: an attribute, an element inside or its first word says that it is an error.
fn element(lines: &Lines, at: usize) -> Outcome {
    let first = lines[at].trim_ascii().to_str_lossy().to_lowercase();
    let inner = first.trim_start_matches('<');
    let name = inner.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    if !RESULTS.contains(&name) {
        return Outcome::Made;
    }
    let close = format!("</{name}>");
    let end = (at..lines.len().min(at + LONGEST)).find(|at| lines[*at].to_str_lossy().to_lowercase().contains(&close));
    let Some(end) = end else { return Outcome::Unclear(at) };
    let text = lines[at..=end].iter().map(|line| line.to_str_lossy().to_lowercase()).collect::<Vec<_>>().join("\n");
    lines.spend(text.len());
    let tag = text.split('>').next().unwrap_or_default();
    let says = |words: &[&str], text: &str| words.iter().any(|word| text.contains(word));
    let told: String = text.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    let is_marked = says(&["error=\"true\"", "status=\"error\"", "success=\"false\""], tag)
        || says(&["<error>", "<is_error>true", "<iserror>true", "<status>error", "<success>false"], &text);
    match is_marked || begins_with_error(&told) {
        true => Outcome::Failed(end + 1),
        false if told.lines().find(|line| !line.trim().is_empty()).is_some_and(reports_failure) => Outcome::Unclear(at),
        false => Outcome::Made,
    }
}

fn begins_with_error(text: &str) -> bool {
    text.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("error"))
}

/// Anthropic's `is_error` of a result, or a result that is an error by its first word.
fn is_error(value: &Value) -> bool {
    let has = |key: &str, word: &str| value.get(key).and_then(Value::as_str) == Some(word);
    let is_result = has("type", "tool_result") || has("type", "function_call_output") || has("role", "tool");
    let told = ["content", "output"].iter().find_map(|key| value.get(*key)?.as_str()).unwrap_or_default();
    is_result && (value.get("is_error") == Some(&Value::Bool(true)) || begins_with_error(told))
}
