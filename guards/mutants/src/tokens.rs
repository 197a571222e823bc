//! The tokens of one line of code, whatever its language.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    Sign,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    /// In bytes, from the line's start.
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }
}

/// Signs of several characters; the longest first.
const SIGNS: [&str; 38] = [
    "===", "!==", "<=>", "**=", "//=", ">>=", "<<=", "...", "..=", "&&=", "||=", "??=", "==", "!=", "<=", ">=", "&&",
    "||", "->", "=>", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "**", "//", "::", ":=", "??", "?.", "<-",
    "..", "=~",
];

/// Strings and comments of the line are blanks already.
pub fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = code[at..].chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '@';
        let rest = &code[at..];
        let (kind, length) = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            c if c.is_ascii_digit() => (TokenKind::Number, rest.find(|c| !is_part(c)).unwrap_or(rest.len())),
            c if is_part(c) => (TokenKind::Word, rest.find(|c| !is_part(c)).unwrap_or(rest.len())),
            c => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (TokenKind::Sign, sign.map_or(c.len_utf8(), |sign| sign.len()))
            }
        };
        found.push(Token { kind, text: &rest[..length], start: at });
        at += length;
    }
    found
}

/// The index of the bracket that closes the one at `open`; None when it is closed on another line, or crosses others.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut stack = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" => stack.push(")"),
            "[" => stack.push("]"),
            "{" => stack.push("}"),
            ")" | "]" | "}" => {
                if stack.pop() != Some(token.text) {
                    return None;
                }
                if stack.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether every bracket of these tokens is closed among them.
pub fn is_closed(tokens: &[Token]) -> bool {
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            "(" | "[" | "{" => match closing(tokens, at) {
                Some(end) => at = end + 1,
                None => return false,
            },
            ")" | "]" | "}" => return false,
            _ => at += 1,
        }
    }
    true
}
