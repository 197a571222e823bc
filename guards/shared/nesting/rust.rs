//! How deep a parser of Rust would nest, told from the tokens.

use ra_ap_parser::SyntaxKind::{self, *};
use ra_ap_parser::{Edition, LexedStr};

/// As rustc's default `recursion_limit`; the parser here recurses, and a guard's stack ends in a trap.
pub const MAX: usize = 128;

/// An upper bound of how deep the parser nests: brackets, and operators that wait for their operand.
pub fn depth(tokens: &LexedStr) -> usize {
    let mut open = vec![Waiting::default()];
    let (mut deepest, mut outer) = (0, 0);
    for kind in (0..tokens.len()).map(|token| tokens.kind(token)).filter(|kind| !kind.is_trivia()) {
        match kind {
            L_PAREN | L_BRACK | L_CURLY => {
                outer += open.last().map_or(0, Waiting::count);
                open.push(Waiting::default());
            }
            R_PAREN | R_BRACK | R_CURLY if open.len() > 1 => {
                open.pop();
                outer -= open.last().map_or(0, Waiting::count);
            }
            _ => {}
        }
        let here = open.last_mut().map_or(0, |waiting| waiting.see(kind));
        deepest = deepest.max(open.len() + outer + here);
    }
    deepest
}

/// What waits for its operand between two brackets.
#[derive(Default)]
struct Waiting {
    operators: usize,
    angles: usize,
    path: usize,
    last: Option<SyntaxKind>,
}

impl Waiting {
    fn count(&self) -> usize {
        self.operators + self.angles + self.path
    }

    fn see(&mut self, kind: SyntaxKind) -> usize {
        let last = self.last.replace(kind);
        if last == Some(R_CURLY) && kind != ELSE_KW && (kind == IDENT || kind == POUND || is_keyword(kind)) {
            // `fn f() {}` is over.
            *self = Waiting { last: Some(kind), ..Waiting::default() };
        }
        match (last, kind) {
            (_, SEMICOLON) => *self = Waiting::default(),
            (_, COMMA) => (self.operators, self.path) = (0, 0),
            (Some(MINUS), R_ANGLE) => self.operators += 1,
            (Some(EQ), R_ANGLE) => {}
            (_, L_ANGLE) => self.angles += 1,
            (_, R_ANGLE) => self.angles = self.angles.saturating_sub(1),
            (Some(COLON), COLON) => self.path += 1,
            (Some(POUND), BANG) | (_, COLON | POUND | IDENT) => {}
            (_, EQ) => (self.operators, self.path) = (self.operators + 1, 0),
            (_, MINUS | STAR | BANG | AMP | PIPE | DOT | QUESTION) if !last.is_some_and(ends_operand) => {
                self.operators += 1
            }
            // `return return`, `impl Fn() -> impl Fn()`, `else if`.
            (_, kind) if kind == LIFETIME_IDENT || is_keyword(kind) => self.operators += 1,
            _ => self.path = 0,
        }
        self.count()
    }
}

fn is_keyword(kind: SyntaxKind) -> bool {
    kind.is_keyword(Edition::CURRENT) && !ends_operand(kind)
}

fn ends_operand(kind: SyntaxKind) -> bool {
    kind.is_literal() || matches!(kind, IDENT | R_PAREN | R_BRACK | R_CURLY | QUESTION | SELF_KW | TRUE_KW | FALSE_KW)
}
