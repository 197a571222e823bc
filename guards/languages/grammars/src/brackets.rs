//! Brackets that are code: those in comments and strings are parts of other tokens.

use std::ops::Range;

use crate::Parsed;

/// Whether each has its counterpart. The tokens of a text are known where its grammar is not.
pub fn are_closed(parsed: &Parsed) -> bool {
    let others = other_branches(parsed.text);
    let mut open = Vec::new();
    let mut cursor = parsed.tree.walk();
    loop {
        let node = cursor.node();
        let is_left_out = others.iter().any(|other| other.contains(&node.start_byte()));
        if node.child_count() == 0 && !node.is_missing() && !is_left_out {
            // `${`, `\(`, `#[` open too. Longer tokens are texts.
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

/// What stands behind `#else` and `#elif`: each branch of a condition may close what was opened before it.
fn other_branches(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        if directive.starts_with("if") {
            open.push(None);
        } else if directive.starts_with("else") || directive.starts_with("elif") {
            if let Some(other) = open.last_mut() {
                other.get_or_insert(at);
            }
        } else if directive.starts_with("endif")
            && let Some(Some(start)) = open.pop()
        {
            found.push(start..at);
        }
        at += line.len();
    }
    found
}
