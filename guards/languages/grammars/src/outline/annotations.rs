//! Annotations, attributes and the like of a definition.

use tree_sitter::Node;

use crate::Parsed;
use crate::parsed::line;

pub struct Annotation<'t> {
    /// Without its sign, its package and its arguments.
    pub name: &'t str,
    pub arguments: &'t str,
    pub line: u32,
    pub end: usize,
}

/// Of the children of a definition, and of what they are gathered in.
pub fn from_node<'t>(parsed: &Parsed<'t>, node: Node) -> Vec<Annotation<'t>> {
    let kinds = parsed.language.table().annotations;
    let mut found = Vec::new();
    if kinds.is_empty() {
        return found;
    }
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        gather(parsed, child, kinds, 3, &mut found);
    }
    found
}

/// `deep`: lists of lists of attributes, as PHP has them.
fn gather<'t>(parsed: &Parsed<'t>, node: Node, kinds: &[&str], deep: usize, found: &mut Vec<Annotation<'t>>) {
    if kinds.contains(&node.kind()) {
        found.push(annotation(parsed, node));
        return;
    }
    let is_list = ["modifiers", "attribute_list", "attribute_group"].contains(&node.kind());
    if deep == 0 || !is_list {
        return;
    }
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        gather(parsed, child, kinds, deep - 1, found);
    }
}

fn annotation<'t>(parsed: &Parsed<'t>, node: Node) -> Annotation<'t> {
    let text = parsed.text_of(node).trim_start_matches('@');
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    let name = name.trim().rsplit(['.', '\\', ':']).next().unwrap_or_default();
    let name = name.strip_suffix("Attribute").filter(|name| !name.is_empty()).unwrap_or(name);
    Annotation { name, arguments, line: line(node), end: node.end_byte() }
}
