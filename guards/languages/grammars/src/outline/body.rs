//! What a function's body amounts to.

use guard_sdk::language::Body;
use tree_sitter::Node;

use super::nodes::{at, children};
use crate::Parsed;
use crate::table::{Define, Name, Table};

/// The node of a definition's body, if it has one.
pub fn from_definition<'t>(define: &Define, node: Node<'t>) -> Option<Node<'t>> {
    let by_kind = |body: Node<'t>| define.body.is_empty() || define.body.contains(&body.kind());
    let by_field = node.child_by_field_name("body").filter(|body| by_kind(*body));
    by_field.or_else(|| super::nodes::with_kinds(node, define.body).into_iter().next())
}

/// The statements of a body, whatever they are wrapped in.
pub fn statements<'t>(body: Node<'t>, table: &Table) -> Vec<Node<'t>> {
    let mut body = body;
    loop {
        let all = children(body, table);
        match all.as_slice() {
            [one] if table.blocks.contains(&one.kind()) => body = *one,
            // `{ (a, b) -> … }`: what stands before the statements of a function without a name.
            _ if !table.blocks.contains(&body.kind()) => return vec![body],
            _ => return all.into_iter().filter(|one| !one.kind().ends_with("_parameters")).collect(),
        }
    }
}

pub fn from_node(parsed: &Parsed, body: Option<Node>) -> Body {
    let table = parsed.language.table();
    let Some(body) = body else { return Body::Declared };
    match statements(body, table).as_slice() {
        [] => Body::Empty,
        [one] if is_stub(parsed.text_of(*one), table) => Body::Stub,
        _ => Body::Real,
    }
}

/// `throw new UnsupportedOperationException("not implemented")`, and not every error.
fn is_stub(statement: &str, table: &Table) -> bool {
    let begins = |words: &&str| statement.starts_with(*words);
    table.stubs.iter().any(|words| begins(words) && !is_refusal(statement))
        || table.refusals.iter().any(|words| begins(words) && is_unfinished(statement))
}

/// Words by which code says that it is still to be written.
fn is_unfinished(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["not implemented", "not yet implemented", "unimplemented", "implement me", "todo"]
        .iter()
        .any(|words| text.contains(words))
}

/// It tells a caller what to do instead, or a subclass what to write.
fn is_refusal(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["subclass", "must implement", "should implement", "must be implemented", "instead", "not supported", "override"]
        .iter()
        .any(|words| text.contains(words))
}

/// How a handler does nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nothing {
    Unexplained,
    /// It says why, or gives a value.
    Meant,
}

/// None when it does something.
pub fn from_handler(parsed: &Parsed, node: Node, body: Name) -> Option<Nothing> {
    let table = parsed.language.table();
    let has_comment = |node: Node| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).any(|child| table.comments.contains(&child.kind()))
    };
    let mut nothing = if has_comment(node) { Nothing::Meant } else { Nothing::Unexplained };
    for body in at(node, body) {
        let is_explained = has_comment(body);
        // A value may have no node of its own: `{ null }`, `rescue 0`.
        let said = parsed.text_of(body).trim_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}'));
        match said {
            "nil" => nothing = Nothing::Meant,
            _ if !children(body, table).is_empty() => return None,
            _ if is_explained => nothing = Nothing::Meant,
            "" => {}
            _ => return None,
        }
    }
    Some(nothing)
}
