//! Statements that hide an error.

use guard_sdk::language::{Lines, SwallowedError, says_expected};
use tree_sitter::Node;

use super::body;
use super::nodes::squeezed;
use crate::Parsed;
use crate::parsed::{last_line, line};
use crate::table::Handler;

pub fn from_handler(parsed: &Parsed, node: Node, handler: &Handler) -> Option<SwallowedError> {
    let text = parsed.text_of(node);
    if let Some(condition) = handler.condition {
        let given = node.child_by_field_name("condition").map(|given| squeezed(parsed.text_of(given)));
        let other = node.child_by_field_name("alternative").is_some();
        if other || given.is_none_or(|given| given != squeezed(condition)) {
            return None;
        }
    }
    let nothing = body::from_handler(parsed, node, handler.body)?;
    let head = text.split('{').next().unwrap_or_default().lines().next().unwrap_or_default();
    let is_meant = nothing == body::Nothing::Meant || words(head).any(says_expected) || is_narrow(head, handler.broad);
    let form = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(SwallowedError { lines: Lines { first: line(node), last: last_line(node) }, form, is_meant })
}

fn words(head: &str) -> impl Iterator<Item = &str> {
    head.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Whether one kind of error alone is caught: `catch (IOException e)`, `rescue KeyError`.
fn is_narrow(head: &str, broad: &[&str]) -> bool {
    let names_one = match head.split_once('(') {
        Some((_, caught)) => !caught.starts_with("..."),
        None => head.contains(char::is_uppercase),
    };
    let has_filter = words(head).any(|word| word == "when");
    !broad.is_empty() && (has_filter || (names_one && !words(head).any(|word| broad.contains(&word))))
}
