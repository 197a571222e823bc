//! What may begin at a byte of code.

use super::{Literal, LiteralForm, Syntax};

/// A sign that opens something.
#[derive(Debug, Clone)]
pub struct Opening<'s> {
    pub sign: &'s [u8],
    pub kind: Kind<'s>,
    /// It was seen to have no end in this text.
    pub is_endless: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Kind<'s> {
    LineComment,
    BlockComment { close: &'s str },
    Literal(&'s Literal),
}

/// By their first byte, longer ones first.
#[derive(Debug, Clone)]
pub struct Openings<'s> {
    pub all: Vec<Opening<'s>>,
    /// By the value of a byte, the first of `all` that begins with it, and how many do.
    by_byte: [(u8, u8); 256],
    /// By the value of a byte, whether nothing can begin with it, and it hides no other either.
    pub plain: [bool; 256],
}

impl<'s> Openings<'s> {
    pub fn new(syntax: &'s Syntax) -> Self {
        let lines = syntax.line_comments.iter().map(|sign| (&**sign, Kind::LineComment));
        let blocks = syntax.block_comments.iter().map(|(open, close)| (&**open, Kind::BlockComment { close }));
        let literals = syntax.literals.iter().map(|literal| (&*literal.open, Kind::Literal(literal)));
        let all = lines.chain(blocks).chain(literals).filter(|(sign, _)| !sign.is_empty()).take(usize::from(u8::MAX));
        let mut all: Vec<Opening> =
            all.map(|(sign, kind)| Opening { sign: sign.as_bytes(), kind, is_endless: false }).collect();
        all.sort_by_key(|one| (one.sign[0], std::cmp::Reverse(one.sign.len())));
        let mut by_byte = [(0, 0); 256];
        for (no, one) in (0..).zip(&all) {
            let (first, count) = &mut by_byte[usize::from(one.sign[0])];
            *first = if *count == 0 { no } else { *first };
            *count += 1;
        }
        let mut plain = by_byte.map(|(_, count)| count == 0);
        plain[usize::from(b'\\')] = false;
        Openings { all, by_byte, plain }
    }

    /// Whether it is closed by the end of the text.
    pub fn ends_with_text(&self, opening: usize) -> bool {
        matches!(self.all[opening].kind, Kind::Literal(literal) if literal.form == LiteralForm::Plain && literal.close.is_empty())
    }

    pub fn beginning_with(&self, byte: u8) -> std::ops::Range<usize> {
        let (first, count) = self.by_byte[usize::from(byte)];
        usize::from(first)..usize::from(first) + usize::from(count)
    }
}

impl Opening<'_> {
    /// Whether it stands at `at`, as far as what is before it tells.
    pub fn stands_at(&self, line: &[u8], at: usize, comments_stand_apart: bool) -> bool {
        let before = at.checked_sub(1).map(|before| line[before]);
        if self.is_endless || !line[at..].starts_with(self.sign) {
            return false;
        }
        match self.kind {
            Kind::LineComment => !comments_stand_apart || before.is_none_or(|byte| byte.is_ascii_whitespace()),
            Kind::BlockComment { .. } => at == 0 || !is_word_sign(self.sign),
            Kind::Literal(literal) => match literal.form {
                LiteralForm::Value => may_be_value(line, at, self.sign.len()),
                // Of one sign alone, an operator.
                LiteralForm::Delimited if !is_word_sign(self.sign) => may_be_value(line, at, self.sign.len()),
                LiteralForm::Character if literal.close.is_empty() => may_be_value(line, at, self.sign.len()),
                // `<<<` is another operator.
                LiteralForm::HereDocument => before != Some(self.sign[0]),
                LiteralForm::Plain if is_word_sign(self.sign) => at == 0,
                LiteralForm::Plain | LiteralForm::Fenced | LiteralForm::Character | LiteralForm::Delimited => {
                    !self.sign[0].is_ascii_alphabetic() || !before.is_some_and(is_word)
                }
            },
        }
    }
}

/// Such a sign stands at the beginning of a line.
pub fn is_word_sign(sign: &[u8]) -> bool {
    sign.last().is_some_and(|byte| is_word(*byte))
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a value may begin at `at`, and not only an operator stand there.
fn may_be_value(line: &[u8], at: usize, length: usize) -> bool {
    let before = line[..at].trim_ascii_end();
    let is_apart = before.len() < at;
    let Some(last) = before.last() else { return true };
    if is_word(*last) {
        let word = before.iter().rev().take_while(|byte| is_word(**byte)).count();
        let word = &before[before.len() - word..];
        const AHEAD: [&[u8]; 12] =
            [b"and", b"do", b"elsif", b"if", b"in", b"not", b"or", b"return", b"then", b"unless", b"until", b"when"];
        // `puts /a/`, and not `a / b`.
        let is_argument = is_apart
            && word != b"def"
            && !word[0].is_ascii_digit()
            && line.get(at + length).is_some_and(|next| !next.is_ascii_whitespace() && *next != b'=');
        return is_apart && (AHEAD.contains(&word) || is_argument);
    }
    match last {
        b':' | b'?' => is_apart,
        other => b"([{,;=!|&+-*~<>^%".contains(other),
    }
}
