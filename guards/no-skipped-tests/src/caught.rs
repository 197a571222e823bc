//! Assertions that the test itself catches.

use crate::check::check;

/// Whether a line may begin a handler that catches a failed assertion.
pub fn may_catch(line: &str) -> bool {
    let line = line.trim();
    python(line) || line.contains("catch")
}

/// First and last line of each `try` in a test whose assertions cannot fail it, because its handler does nothing with them.
pub fn find<'t>(lines: &'t [(u32, &'t str)]) -> impl Iterator<Item = (u32, u32)> + 't {
    (0..lines.len()).filter_map(|at| {
        let line = lines[at].1.trim();
        let is_handler = python(line) || braces(line);
        let depth = indent(lines[at].1);
        if !is_handler {
            return None;
        }
        let begin = (0..at).rev().find(|above| {
            let text = lines[*above].1;
            indent(text) == depth && (text.trim() == "try:" || text.trim() == "try {")
        })?;
        // What says that the code should have failed is no assertion about what it gave.
        let asserts = |text: &str| check(text).is_some() && !text.contains("fail") && !text.contains("unreachable");
        let body = &lines[begin + 1..at];
        // Another handler of the same `try` may let the assertion through.
        let has_more = body.iter().any(|(_, text)| indent(text) == depth && !text.trim().is_empty());
        if has_more || !body.iter().any(|(_, text)| asserts(text)) {
            return None;
        }
        let is_inside = |text: &str| text.trim().is_empty() || indent(text) > depth;
        let end = (at + 1..lines.len()).find(|below| !is_inside(lines[*below].1)).unwrap_or(lines.len());
        let handled = lines[at + 1..end].iter().map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
        let last = lines[at..end].iter().rev().find(|(_, text)| !text.trim().is_empty())?;
        handled.clone().all(does_nothing).then_some((lines[begin].0, last.0))
    })
}

fn python(line: &str) -> bool {
    let Some(kind) = line.strip_prefix("except").and_then(|rest| rest.strip_suffix(':')) else { return false };
    let kind = kind.split(" as ").next().unwrap_or_default().trim();
    matches!(kind, "" | "AssertionError" | "Exception" | "BaseException") || kind.contains("AssertionError")
}

fn braces(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('}').map(str::trim_start).and_then(|rest| rest.strip_prefix("catch")) else {
        return false;
    };
    let kind = rest.trim().trim_end_matches(['{', '}']).trim().trim_matches(['(', ')']);
    // A type is named only where more than one can be caught.
    let kind = kind.split([' ', ':']).next().unwrap_or_default();
    !kind.ends_with("Exception") || kind == "Exception"
}

fn does_nothing(line: &str) -> bool {
    matches!(line, "pass" | "..." | "continue" | "return" | "return;")
        || ["print(", "console.", "logging.", "logger.", "//", "#", "System.out."]
            .iter()
            .any(|sign| line.starts_with(sign))
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
