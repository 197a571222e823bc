//! One definition of a node.

use guard_sdk::language::{Body, Definition, DefinitionKind, Visibility};
use tree_sitter::Node;

use super::annotations::Annotation;
use super::nodes::with_kinds;
use crate::Parsed;
use crate::parsed::{last_line, line};
use crate::table::Define;

/// All but its name, owner and body.
pub fn from_node(
    parsed: &Parsed,
    node: Node,
    define: &Define,
    annotations: &[Annotation],
    name_at: usize,
) -> Definition {
    let head = head(parsed, node, annotations, name_at);
    // What a template is of is inside of it.
    let whole = node.parent().filter(|parent| parent.kind() == "template_declaration").unwrap_or(node);
    let bases = if define.kind == DefinitionKind::Class { bases(parsed, node) } else { Vec::new() };
    Definition {
        bases,
        noun: noun(parsed, define, head),
        annotations: annotations.iter().map(|annotation| annotation.name.to_owned()).collect(),
        ..Definition::new("", define.kind, (line(whole), last_line(whole)), Body::Real)
    }
}

/// What stands before the name, annotations left out.
fn head<'t>(parsed: &Parsed<'t>, node: Node, annotations: &[Annotation], name_at: usize) -> &'t str {
    let start = annotations.iter().map(|annotation| annotation.end).filter(|end| *end <= name_at).max();
    parsed.text.get(start.unwrap_or(node.start_byte())..name_at).unwrap_or_default()
}

fn words(head: &str) -> impl Iterator<Item = &str> {
    head.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn noun(parsed: &Parsed, define: &Define, head: &str) -> Option<String> {
    let by_word = || parsed.language.table().nouns.iter().find(|noun| words(head).any(|word| word == **noun)).copied();
    let noun = define.noun.or_else(|| if define.kind == DefinitionKind::Class { by_word() } else { None });
    noun.map(str::to_owned)
}

pub fn visibility(parsed: &Parsed, node: Node, annotations: &[Annotation], name: &str, name_at: usize) -> Visibility {
    let known = &parsed.language.table().visibility;
    if known.by_capital {
        return if name.starts_with(char::is_uppercase) { Visibility::Public } else { known.default };
    }
    let head = head(parsed, node, annotations, name_at);
    let stated = known.words.iter().find(|(stated, _)| words(head).any(|word| word == *stated));
    stated.map_or(known.default, |(_, visibility)| *visibility)
}

/// What a class derives from, as the file calls it, without type arguments.
pub fn bases(parsed: &Parsed, node: Node) -> Vec<String> {
    let table = parsed.language.table();
    let mut found = Vec::new();
    for list in with_kinds(node, table.bases) {
        let text = parsed.text_of(list);
        let mut depth = 0_usize;
        let parts = text.split(|c: char| {
            match c {
                '<' | '(' | '[' | '{' => depth += 1,
                '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        for part in parts {
            let part = part.trim().trim_start_matches([':', '<']).trim();
            let words = ["extends", "implements", "public", "private", "protected", "virtual"];
            let mut part = part;
            while let Some((first, rest)) = part.split_once(char::is_whitespace)
                && words.contains(&first)
            {
                part = rest.trim();
            }
            let name = part.split(['<', '(', ' ', '{']).next().unwrap_or_default().trim();
            found.push(if name.is_empty() { "?".to_owned() } else { name.to_owned() });
        }
    }
    found
}
