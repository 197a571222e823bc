//! Python, by the newest grammar: what an older interpreter would refuse is not this guard's to say.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::{Problem, Trouble};
use guard_nesting::Bracket;

use guard_nesting::python as depth;

pub fn read(text: &str) -> Result<(), Trouble> {
    if depth::depth(text) > depth::MAX {
        return Err(Trouble::TooDeep);
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let outcome = match parsed.errors().first() {
        None => Ok(()),
        Some(error) => Err(Problem::at(text, error.range().start().to_usize(), error.error.to_string()).into()),
    };
    // A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    std::mem::forget(parsed);
    outcome
}

/// In order; none when the text is no sequence of tokens. Asked only of what [`read`] found broken.
pub fn brackets(text: &str) -> Vec<Bracket> {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let is_bracket = |kind: TokenKind| {
        use TokenKind::{Lbrace, Lpar, Lsqb, Rbrace, Rpar, Rsqb};
        matches!(kind, Lpar | Lsqb | Lbrace | Rpar | Rsqb | Rbrace)
    };
    let tokens = parsed.tokens();
    let found = tokens.iter().filter(|token| is_bracket(token.kind())).map(|token| token.range().start().to_usize());
    let found = found.map(|at| Bracket { at, sign: text.as_bytes()[at] }).collect();
    let unlexed = tokens.iter().any(|token| token.kind() == TokenKind::Unknown);
    std::mem::forget(parsed);
    if unlexed { Vec::new() } else { found }
}
