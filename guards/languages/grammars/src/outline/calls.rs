//! What a call calls.

use tree_sitter::Node;

use crate::Parsed;
use crate::table::Call;

/// `t.Run("…", …)`: `t.Run`, with what it is called on.
pub struct Callee<'t> {
    pub text: &'t str,
    /// Its last name.
    pub name: &'t str,
    /// What is given to it, brackets included; empty when nothing is.
    pub arguments: &'t str,
}

pub fn callee<'t>(parsed: &Parsed<'t>, node: Node, call: &Call) -> Callee<'t> {
    // `test("x") { … }` of Kotlin is a call of a call.
    let is_same = |inner: &Node| inner.kind() == node.kind() && node.named_child_count() == 2;
    let curried = node
        .named_child(0)
        .filter(is_same)
        .filter(|_| node.named_child(1).is_some_and(|last| last.kind() == "annotated_lambda"));
    if let Some(inner) = curried {
        return callee(parsed, inner, call);
    }
    let mut cursor = node.walk();
    let given: Vec<Node> =
        node.named_children(&mut cursor).filter(|child| call.arguments.contains(&child.kind())).collect();
    let end = given.first().map_or(node.end_byte(), Node::start_byte);
    let text = parsed.text.get(node.start_byte()..end).unwrap_or_default().trim_end();
    // Functions that are given are no part of what marks a test.
    let is_plain = |child: &&Node| !["block", "do_block", "annotated_lambda"].contains(&child.kind());
    let arguments = given.iter().find(is_plain).map_or("", |given| parsed.text_of(*given));
    Callee { text, name: super::nodes::last_name(text), arguments }
}

/// The function that is given to a call.
pub fn function(node: Node) -> Option<Node> {
    const FUNCTIONS: [&str; 7] = [
        "func_literal",
        "lambda_literal",
        "anonymous_function",
        "arrow_function",
        "block",
        "do_block",
        "lambda_expression",
    ];
    const WRAPS: [&str; 7] = [
        "argument_list",
        "arguments",
        "argument",
        "value_arguments",
        "value_argument",
        "annotated_lambda",
        "call_suffix",
    ];
    let mut cursor = node.walk();
    let children: Vec<Node> = node.named_children(&mut cursor).collect();
    children.into_iter().rev().find_map(|child| match child.kind() {
        kind if FUNCTIONS.contains(&kind) => Some(child),
        kind if WRAPS.contains(&kind) => function(child),
        _ => None,
    })
}
