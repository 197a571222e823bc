//! Brackets that are code: those in comments and strings are parts of other tokens.

use crate::Parsed;

/// Whether each has its counterpart. The tokens of a text are known where its grammar is not.
pub fn are_closed(parsed: &Parsed) -> bool {
    let mut open = Vec::new();
    let mut cursor = parsed.tree.walk();
    loop {
        let node = cursor.node();
        if node.child_count() == 0 && !node.is_missing() {
            // `${`, `\\(`, `#[` open too. Longer tokens are texts.
            let token = Some(parsed.text_of(node)).filter(|token| token.len() <= 3).unwrap_or_default();
            match token.chars().next_back() {
                Some('{') => open.push('}'),
                Some('(') => open.push(')'),
                Some('[') => open.push(']'),
                Some(sign @ ('}' | ')' | ']')) if open.pop() != Some(sign) => return false,
                _ => {}
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return open.is_empty();
            }
        }
    }
}
