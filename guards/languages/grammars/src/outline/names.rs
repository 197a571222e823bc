//! What a definition is called.

use tree_sitter::Node;

use super::nodes::at;
use crate::Parsed;
use crate::table::Name;

/// A name, and where it stands; what stands before it, of `A::f`: `A`.
pub struct Named {
    pub name: String,
    pub owner: Option<String>,
    pub start: usize,
}

pub fn from_node(parsed: &Parsed, node: Node, name: Name) -> Vec<Named> {
    match name {
        Name::Fixed(word) => vec![Named { name: word.to_owned(), owner: None, start: node.start_byte() }],
        Name::Word(word, _) => at(node, name).into_iter().map(|at| named(parsed, at, word)).collect(),
        Name::Declarator => declared(parsed, node),
        _ => at(node, name).into_iter().map(|at| named(parsed, at, "")).collect(),
    }
}

fn named(parsed: &Parsed, node: Node, word: &str) -> Named {
    let text = parsed.text_of(node);
    if let Some(quoted) = text.strip_prefix('`') {
        return Named { name: quoted.trim_end_matches('`').to_owned(), owner: None, start: node.start_byte() };
    }
    let text = without_arguments(text);
    // `class A::B`, `extension A.B`.
    let (owner, last) = text.rsplit_once("::").or_else(|| text.rsplit_once('.')).unwrap_or(("", &text));
    let owner = (!owner.is_empty()).then(|| owner.replace("::", "."));
    Named { name: format!("{word}{}", last), owner, start: node.start_byte() }
}

/// `List<A, B>`: `List`.
fn without_arguments(text: &str) -> String {
    if text.starts_with("operator") {
        return text.to_owned();
    }
    let mut depth = 0_usize;
    let plain = text.chars().filter(|c| {
        match c {
            '<' => depth += 1,
            '>' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0 && !c.is_whitespace()
    });
    plain.collect()
}

/// Declarators of C nest: `int *(*f(void))[3]`.
fn declared(parsed: &Parsed, node: Node) -> Vec<Named> {
    let mut cursor = node.walk();
    let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
    declarators.into_iter().filter_map(|declarator| innermost(declarator)).map(|node| named(parsed, node, "")).collect()
}

fn innermost(node: Node) -> Option<Node> {
    let mut node = node;
    // A type of this depth is no type that somebody wrote.
    for _ in 0..64 {
        let next = node.child_by_field_name("declarator").or_else(|| {
            let wraps =
                ["parenthesized_declarator", "reference_declarator", "attributed_declarator", "variadic_declarator"];
            wraps.contains(&node.kind()).then(|| node.named_child(0)).flatten()
        });
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    let is_name = [
        "identifier",
        "field_identifier",
        "type_identifier",
        "qualified_identifier",
        "destructor_name",
        "operator_name",
        "operator_cast",
        "template_function",
    ];
    is_name.contains(&node.kind()).then_some(node)
}

/// Whether a declarator of C is that of a function.
pub fn is_function(node: Node) -> bool {
    let mut node = node.child_by_field_name("declarator");
    for _ in 0..64 {
        match node {
            Some(one) if one.kind() == "function_declarator" => {
                // `void (*f)(int)` is a variable.
                return one
                    .child_by_field_name("declarator")
                    .is_none_or(|inner| inner.kind() != "parenthesized_declarator");
            }
            Some(one) if one.kind() == "reference_declarator" => node = one.named_child(0),
            Some(one) => node = one.child_by_field_name("declarator"),
            None => return false,
        }
    }
    false
}
