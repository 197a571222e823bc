//! JSON as command-line agents print it: one event a line, one pretty object, or an array of events, with stray lines between.

use serde_json::{Deserializer, Value};

/// Every JSON object that begins a line, in order; the elements of an array count each. What is not JSON is skipped.
pub(super) fn objects(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(output);
    let mut rest = text.as_ref();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let line = rest.split('\n').next().unwrap_or_default();
        let used = match value_at(line, rest) {
            Some((Value::Array(items), used)) => {
                found.extend(items.into_iter().filter(Value::is_object));
                used
            }
            Some((value, used)) => {
                found.push(value);
                used
            }
            None => line.len() + 1,
        };
        rest = rest.get(used..).unwrap_or_default();
    }
    found
}

/// The value that begins on this line, and where it ends in `rest`.
fn value_at(line: &str, rest: &str) -> Option<(Value, usize)> {
    let first = line.len() - line.trim_start().len();
    // Some agents print a log level before it: `[ERROR] {"error":…}`.
    let after_level = line.find("] {").map(|at| at + 2);
    [Some(first), after_level].into_iter().flatten().find_map(|from| {
        line[from..].starts_with(['{', '[']).then_some(())?;
        let mut values = Deserializer::from_str(&rest[from..]).into_iter();
        let value = values.next()?.ok()?;
        Some((value, from + values.byte_offset()))
    })
}

/// A non-empty string, or the `message` of an object.
pub(super) fn text(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value["message"].as_str()).filter(|text| !text.trim().is_empty())
}
