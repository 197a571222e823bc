//! How deep a parser of Python would nest, told from the tokens.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;

/// CPython stops at 200 brackets and 100 indents; the parser here recurses, and a guard's stack ends in a trap.
pub const MAX: usize = 200;

/// An upper bound of how deep the parser nests: open brackets, indents, and operators that wait for their operand.
pub fn depth(text: &str) -> usize {
    let mut lexer = lex(text, Mode::Module);
    let (mut deepest, mut indents, mut last) = (0, 0usize, TokenKind::Newline);
    // Operators waiting in each open bracket; the first entry is outside of all.
    let mut waiting = vec![0usize];
    let mut all_waiting = 0;
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return deepest,
            TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline => {
                waiting = vec![0];
                all_waiting = 0;
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => waiting.push(0),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace if waiting.len() > 1 => {
                all_waiting -= waiting.pop().unwrap_or_default();
            }
            TokenKind::Comma => all_waiting -= waiting.last_mut().map(std::mem::take).unwrap_or_default(),
            _ if waits(kind, last) => {
                all_waiting += 1;
                if let Some(here) = waiting.last_mut() {
                    *here += 1;
                }
            }
            _ => {}
        }
        deepest = deepest.max(indents + waiting.len() + all_waiting);
        last = kind;
    }
}

/// Whether the parser recurses for what follows. A binary operator does not, but for `**`, which binds to the right.
fn waits(kind: TokenKind, last: TokenKind) -> bool {
    match kind {
        TokenKind::DoubleStar | TokenKind::Not | TokenKind::Await | TokenKind::Async => true,
        TokenKind::Lambda | TokenKind::If | TokenKind::Else | TokenKind::Yield => true,
        TokenKind::Plus | TokenKind::Minus | TokenKind::Tilde | TokenKind::Star => !ends_operand(last),
        _ => false,
    }
}

fn ends_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd
            | TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
            | TokenKind::Ellipsis
            | TokenKind::None
            | TokenKind::True
            | TokenKind::False
    )
}
