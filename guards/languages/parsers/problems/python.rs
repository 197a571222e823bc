//! Python.

use guard_nesting::Bracket;
use guard_sdk::language::Problem;
use ruff_python_ast::Mod;
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Parsed;
use ruff_text_size::Ranged;

use super::{at, with_bracket};

/// Of a text with errors.
pub fn collect(text: &str, parsed: &Parsed<Mod>) -> Vec<Problem> {
    let first = parsed.errors().first();
    let problem = first.map(|error| at(text, error.range().start().to_usize(), error.error.to_string()));
    problem.map(|problem| with_bracket(text, problem, || brackets(text, parsed))).into_iter().collect()
}

/// In order; none when the text is no sequence of tokens.
fn brackets(text: &str, parsed: &Parsed<Mod>) -> Vec<Bracket> {
    let is_bracket = |kind: TokenKind| {
        use TokenKind::{Lbrace, Lpar, Lsqb, Rbrace, Rpar, Rsqb};
        matches!(kind, Lpar | Lsqb | Lbrace | Rpar | Rsqb | Rbrace)
    };
    let tokens = parsed.tokens();
    if tokens.iter().any(|token| token.kind() == TokenKind::Unknown) {
        return Vec::new();
    }
    let found = tokens.iter().filter(|token| is_bracket(token.kind())).map(|token| token.range().start().to_usize());
    found.map(|at| Bracket { at, sign: text.as_bytes()[at] }).collect()
}
