//! The tokens of a Rust file, without white space and comments.

use ra_ap_parser::SyntaxKind::{self, *};
use ra_ap_parser::{Edition, LexedStr};

#[derive(Clone, Copy)]
pub struct Token<'t> {
    pub kind: SyntaxKind,
    pub text: &'t str,
    /// Byte.
    pub start: usize,
}

pub struct Cursor<'t> {
    tokens: &'t [Token<'t>],
    pub at: usize,
}

pub fn tokens<'t>(lexed: &'t LexedStr<'t>) -> Vec<Token<'t>> {
    let token = |at: usize| Token { kind: lexed.kind(at), text: lexed.text(at), start: lexed.text_start(at) };
    (0..lexed.len()).map(token).filter(|token| !token.kind.is_trivia()).collect()
}

pub fn lex(text: &str) -> LexedStr<'_> {
    LexedStr::new(Edition::CURRENT, text)
}

impl<'t> Cursor<'t> {
    pub fn new(tokens: &'t [Token<'t>]) -> Self {
        Cursor { tokens, at: 0 }
    }

    pub fn is_over(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub fn kind(&self, ahead: usize) -> SyntaxKind {
        self.tokens.get(self.at + ahead).map_or(EOF, |token| token.kind)
    }

    pub fn text(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    pub fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.start)
    }

    pub fn before(&self) -> SyntaxKind {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(EOF, |token| token.kind)
    }

    pub fn step(&mut self) {
        self.at += 1;
    }

    /// What was not stepped over yet.
    pub fn rest(&self) -> &'t [Token<'t>] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// Steps over a token of that kind, if it is next.
    pub fn eat(&mut self, kind: SyntaxKind) -> bool {
        let is = self.kind(0) == kind;
        self.at += usize::from(is);
        is
    }

    pub fn opens(&self) -> bool {
        matches!(self.kind(0), L_PAREN | L_BRACK | L_CURLY)
    }

    /// Steps over a group in brackets of any kind, and gives its tokens without them.
    pub fn group(&mut self) -> &'t [Token<'t>] {
        let (start, mut depth) = (self.at + 1, 0_usize);
        while !self.is_over() {
            match self.kind(0) {
                L_PAREN | L_BRACK | L_CURLY => depth += 1,
                R_PAREN | R_BRACK | R_CURLY => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.step();
            if depth == 0 {
                break;
            }
        }
        self.tokens.get(start..self.at.saturating_sub(1)).unwrap_or_default()
    }

    /// Steps to the next `;` or `{` outside of brackets, and does not step over it.
    pub fn until_body(&mut self) {
        while !self.is_over() && !matches!(self.kind(0), SEMICOLON | L_CURLY | R_CURLY) {
            if self.opens() {
                self.group();
            } else {
                self.step();
            }
        }
    }

    /// Steps over the next `;` outside of brackets.
    pub fn over_semicolon(&mut self) {
        while !self.is_over() && !matches!(self.kind(0), SEMICOLON | R_CURLY) {
            if self.opens() {
                self.group();
            } else {
                self.step();
            }
        }
        self.eat(SEMICOLON);
    }
}

/// The name that a token spells, without `r#`.
pub fn name(text: &str) -> String {
    text.strip_prefix("r#").unwrap_or(text).to_owned()
}
