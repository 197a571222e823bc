//! Rust.

use guard_nesting::Bracket;
use guard_sdk::language::Problem;
use ra_ap_parser::SyntaxKind::{ERROR, L_BRACK, L_CURLY, L_PAREN, R_BRACK, R_CURLY, R_PAREN, WHITESPACE};
use ra_ap_parser::{LexedStr, StrStep};

use super::{at, with_bracket};
use crate::texts::rust::Tree;

/// What a macro or an attribute is given may be any tokens, and a parser lets them pass; but they must be tokens.
pub fn from_tokens(text: &str, tokens: &LexedStr) -> Option<Problem> {
    if let Some((token, message)) = tokens.errors().next() {
        return Some(at(text, tokens.text_start(token), message));
    }
    let token = (0..tokens.len()).find(|token| tokens.kind(*token) == ERROR)?;
    let message = format!("`{}` begins no token of Rust", tokens.text(token).chars().take(10).collect::<String>());
    Some(with_bracket(text, at(text, tokens.text_start(token), message), || brackets(text, tokens)))
}

pub fn from_tree(text: &str, tree: &Tree) -> Option<Problem> {
    let mut first = None;
    tree.steps(&mut |step| {
        if let (StrStep::Error { msg, pos }, None) = (step, &first) {
            first = Some(at(text, pos, msg));
        }
    });
    first.map(|problem| with_bracket(text, problem, || brackets(text, &tree.tokens)))
}

/// A doc comment at the end, where an answer was cut short; to the parser it is a comment like any other.
pub fn dangling_comment(text: &str, tokens: &LexedStr) -> Option<Problem> {
    let last = (0..tokens.len()).rev().find(|token| tokens.kind(*token) != WHITESPACE)?;
    let doc = tokens.text(last).starts_with("///") && !tokens.text(last).starts_with("////");
    let problem = || at(text, tokens.text_start(last), "a doc comment with nothing after it");
    doc.then(|| with_bracket(text, problem(), || brackets(text, tokens)))
}

/// In order.
fn brackets(text: &str, tokens: &LexedStr) -> Vec<Bracket> {
    let is_bracket =
        |token: &usize| matches!(tokens.kind(*token), L_PAREN | L_BRACK | L_CURLY | R_PAREN | R_BRACK | R_CURLY);
    let found = (0..tokens.len()).filter(is_bracket).map(|token| tokens.text_start(token));
    found.map(|at| Bracket { at, sign: text.as_bytes()[at] }).collect()
}
