//! Small questions to nodes.

use tree_sitter::Node;

use crate::Parsed;
use crate::table::{Name, Table};

/// In the order of the text, without comments.
pub fn children<'t>(node: Node<'t>, table: &Table) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let named = node.named_children(&mut cursor);
    named.filter(|child| !table.comments.contains(&child.kind())).collect()
}

pub fn with_kinds<'t>(node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let named = node.named_children(&mut cursor);
    named.filter(|child| kinds.contains(&child.kind())).collect()
}

/// What a place in the table names.
pub fn at<'t>(node: Node<'t>, name: Name) -> Vec<Node<'t>> {
    match name {
        Name::Field(field) | Name::Word(_, field) => {
            let mut cursor = node.walk();
            let found = node.children_by_field_name(field, &mut cursor);
            found.filter(|child| child.is_named() || matches!(name, Name::Word(..))).collect()
        }
        Name::Kinds(kinds) => with_kinds(node, kinds),
        Name::FieldOf(field, kinds) => {
            let mut cursor = node.walk();
            let found = node.children_by_field_name(field, &mut cursor);
            found.filter(|child| kinds.contains(&child.kind())).collect()
        }
        Name::In(kinds, inner) => with_kinds(node, kinds).into_iter().flat_map(|child| at(child, *inner)).collect(),
        Name::Fixed(_) | Name::Declarator => Vec::new(),
    }
}

/// The first text that is given to a call: `"adds"` in `it("adds", …)`, without its quotes.
pub fn first_string<'t>(parsed: &Parsed<'t>, node: Node) -> Option<&'t str> {
    let table = parsed.language.table();
    let mut node = node;
    for _ in 0..6 {
        if table.strings.contains(&node.kind()) {
            return Some(unquoted(parsed.text_of(node)));
        }
        node = children(node, table).into_iter().next()?;
    }
    None
}

pub fn unquoted(text: &str) -> &str {
    text.trim_start_matches(['@', '$', 'R', 'L', '#', ':']).trim_matches(['"', '\'', '`'])
}

/// Without white space, so that a mark is found however it is written.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The name that a text ends with.
pub fn last_name(text: &str) -> &str {
    let text = text.trim_end();
    let start = text
        .rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '?' | '!'))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}
