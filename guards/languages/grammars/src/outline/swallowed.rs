//! Statements that hide an error.

use guard_sdk::language::{Lines, SwallowedError};
use tree_sitter::Node;

use super::body;
use super::nodes::squeezed;
use crate::Parsed;
use crate::parsed::{last_line, line};
use crate::table::Handler;

/// By convention, a name that says that the error is none.
const EXPECTED: [&str; 6] = ["ignored", "ignore", "expected", "unused", "_", "ok"];

pub fn from_handler(parsed: &Parsed, node: Node, handler: &Handler) -> Option<SwallowedError> {
    let text = parsed.text_of(node);
    if let Some(condition) = handler.condition {
        let given = node.child_by_field_name("condition").map(|given| squeezed(parsed.text_of(given)));
        let other = node.child_by_field_name("alternative").is_some();
        if other || given.is_none_or(|given| given != squeezed(condition)) {
            return None;
        }
    }
    let mut names = text.lines().next().unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_');
    if names.any(|name| EXPECTED.contains(&name)) || !body::is_nothing(parsed, node, handler.body) {
        return None;
    }
    let form = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(SwallowedError { lines: Lines { first: line(node), last: last_line(node) }, form })
}
