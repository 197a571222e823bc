//! Reads a text line by line: what is open behind each, and which bytes of it are no code. Each byte is read once.

use std::collections::VecDeque;
use std::ops::Range;

use super::signs::{Kind, Openings, is_word, is_word_sign};
use super::{Literal, LiteralForm, Syntax, SyntaxPart, is_fence};

/// Tells the lines of one language apart.
#[derive(Debug, Clone)]
pub struct Scanner<'s> {
    pub(super) syntax: &'s Syntax,
    pub(super) openings: Openings<'s>,
}

/// What is open at the beginning of a line. Openings are named by their index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Open {
    #[default]
    Code,
    Literal {
        opening: usize,
        /// Signs of a fence.
        fence: usize,
    },
    Delimited {
        opening: usize,
        open: u8,
        close: u8,
        depth: u32,
    },
    Comment {
        opening: usize,
        depth: u32,
    },
    /// Each until a line of its word.
    HereDocuments {
        opening: usize,
        words: VecDeque<String>,
        is_begun: bool,
    },
}

impl Open {
    pub(super) fn opening(&self) -> Option<usize> {
        match self {
            Open::Code => None,
            Open::Literal { opening, .. }
            | Open::Delimited { opening, .. }
            | Open::Comment { opening, .. }
            | Open::HereDocuments { opening, .. } => Some(*opening),
        }
    }
}

/// How a line ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineEnd {
    /// Behind the last sign that opened something.
    pub opened: Option<usize>,
    /// What it opened last was not closed in it, and cannot go on.
    pub is_cut: bool,
}

/// Is told the runs of a line that are no code, in order, and whether each is the beginning of a part.
type Mark<'m> = dyn FnMut(Range<usize>, SyntaxPart, bool) + 'm;

impl<'s> Scanner<'s> {
    pub fn new(syntax: &'s Syntax) -> Self {
        Scanner { syntax, openings: Openings::new(syntax) }
    }

    /// Whether a text may end with that open. One that does otherwise was misread, or is a part.
    pub fn may_end(&self, open: &Open) -> bool {
        open.opening().is_none_or(|opening| self.openings.ends_with_text(opening))
    }

    /// Reads a line without its end; `open` is what is open before it, and then what is open behind it.
    pub fn line(&self, open: &mut Open, line: &str, mark: &mut Mark) -> LineEnd {
        let bytes = line.as_bytes();
        let mut end = LineEnd::default();
        if *open == Open::Code && line.starts_with("```") && is_fence(line) {
            return end;
        }
        if let Open::HereDocuments { words, is_begun, .. } = open {
            mark(0..bytes.len(), SyntaxPart::Quoted, !*is_begun);
            *is_begun = true;
            if words.front().is_some_and(|word| ends_document(line, word)) {
                words.pop_front();
                *open = if words.is_empty() { Open::Code } else { std::mem::take(open) };
            }
            return end;
        }
        let mut documents: Option<(usize, VecDeque<String>)> = None;
        let mut at = 0;
        while at < bytes.len() {
            let from = at;
            match open {
                Open::Code => {
                    at += bytes[at..].iter().take_while(|byte| self.openings.plain[usize::from(**byte)]).count();
                    if at == bytes.len() {
                        break;
                    }
                    let Some(begun) = self.beginning(bytes, at) else {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                        continue;
                    };
                    match begun {
                        Begun::Open { next, length, part } => {
                            end.opened = Some(at + length);
                            mark(at..at + length, part, true);
                            *open = next;
                            at += length;
                        }
                        Begun::Whole { length, part } => {
                            mark(at..at + length, part, true);
                            at += length;
                        }
                        Begun::Document { opening, word, length } => {
                            end.opened = Some(at + length);
                            documents.get_or_insert((opening, VecDeque::new())).1.push_back(word);
                            at += length;
                        }
                    }
                }
                Open::Literal { opening, fence } => {
                    let Kind::Literal(literal) = self.openings.all[*opening].kind else { break };
                    at += match step(literal, *fence, &bytes[at..]) {
                        Step::Inside(length) => length,
                        Step::Closed(length) => {
                            *open = Open::Code;
                            length
                        }
                    };
                    mark(from..at.min(bytes.len()), SyntaxPart::Quoted, false);
                }
                Open::Delimited { open: begins, close, depth, .. } => {
                    at += 1 + usize::from(bytes[at] == b'\\');
                    if bytes[from] == *close {
                        *depth -= 1;
                    } else if bytes[from] == *begins {
                        *depth += 1;
                    }
                    if *depth == 0 {
                        *open = Open::Code;
                    }
                    mark(from..at.min(bytes.len()), SyntaxPart::Quoted, false);
                }
                Open::Comment { opening, depth } => {
                    let Kind::BlockComment { close } = self.openings.all[*opening].kind else { break };
                    let (sign, close, rest) = (self.openings.all[*opening].sign, close.as_bytes(), &bytes[at..]);
                    if close.is_empty() || is_word_sign(sign) {
                        *depth -= u32::from(at == 0 && !close.is_empty() && rest.starts_with(close));
                        at = bytes.len();
                    } else if rest.starts_with(close) {
                        at += close.len();
                        *depth -= 1;
                    } else if self.syntax.comments_nest && rest.starts_with(sign) {
                        at += sign.len();
                        *depth += 1;
                    } else {
                        at += 1 + rest[1..].iter().take_while(|byte| **byte != close[0] && **byte != sign[0]).count();
                    }
                    if *depth == 0 {
                        *open = Open::Code;
                    }
                    mark(from..at, SyntaxPart::Comment, false);
                }
                Open::HereDocuments { .. } => break,
            }
        }
        if let Open::Literal { opening, .. } = *open
            && let Kind::Literal(literal) = self.openings.all[opening].kind
            && !literal.crosses_lines
        {
            end.is_cut = true;
            *open = Open::Code;
        }
        if let (Open::Code, Some((opening, words))) = (&*open, documents) {
            *open = Open::HereDocuments { opening, words, is_begun: false };
        }
        end
    }

    /// What begins at a byte of code.
    fn beginning(&self, line: &[u8], at: usize) -> Option<Begun> {
        let apart = self.syntax.comments_stand_apart;
        self.openings.beginning_with(line[at]).find_map(|opening| {
            let one = &self.openings.all[opening];
            if !one.stands_at(line, at, apart) {
                return None;
            }
            let (length, tail) = (one.sign.len(), &line[at + one.sign.len()..]);
            Some(match one.kind {
                Kind::LineComment => Begun::Whole { length: line.len() - at, part: SyntaxPart::Comment },
                Kind::BlockComment { .. } => {
                    Begun::Open { next: Open::Comment { opening, depth: 1 }, length, part: SyntaxPart::Comment }
                }
                Kind::Literal(literal) => return begun(literal, opening, length, tail),
            })
        })
    }
}

enum Begun {
    Open {
        next: Open,
        length: usize,
        part: SyntaxPart,
    },
    /// With its end.
    Whole {
        length: usize,
        part: SyntaxPart,
    },
    Document {
        opening: usize,
        word: String,
        length: usize,
    },
}

/// The literal whose sign stands before `tail`, if it is one.
fn begun(literal: &Literal, opening: usize, length: usize, tail: &[u8]) -> Option<Begun> {
    let part = SyntaxPart::Quoted;
    Some(match literal.form {
        LiteralForm::Plain | LiteralForm::Value => {
            Begun::Open { next: Open::Literal { opening, fence: 0 }, length, part }
        }
        LiteralForm::Fenced => {
            let fence = tail.iter().take_while(|byte| **byte == b'#').count();
            let close = literal.close.as_bytes();
            let length = length + fence + close.len();
            tail[fence..].starts_with(close).then_some(Begun::Open {
                next: Open::Literal { opening, fence },
                length,
                part,
            })?
        }
        LiteralForm::Character => Begun::Whole { length: length + character(tail, literal)?, part },
        LiteralForm::Delimited => {
            let open = *tail.first().filter(|byte| byte.is_ascii_punctuation())?;
            let close = match open {
                b'(' => b')',
                b'[' => b']',
                b'{' => b'}',
                b'<' => b'>',
                // Operators.
                b'=' | b'%' | b'&' if length == 1 => return None,
                other => other,
            };
            Begun::Open { next: Open::Delimited { opening, open, close, depth: 1 }, length: length + 1, part }
        }
        LiteralForm::HereDocument => {
            let (word, behind) = document(tail)?;
            Begun::Document { opening, word, length: length + behind }
        }
    })
}

/// The bytes of a character and of what closes it.
fn character(tail: &[u8], literal: &Literal) -> Option<usize> {
    let text = tail.utf8_chunks().next()?.valid();
    let first = text.chars().next()?;
    let is_escape = !literal.escape.is_empty() && text.starts_with(&*literal.escape);
    if literal.close.is_empty() {
        let length = first.len_utf8() + if is_escape { text.chars().nth(1)?.len_utf8() } else { 0 };
        let is_alone = !text[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        return (is_alone && !first.is_whitespace()).then_some(length);
    }
    // `\u{10FFFF}` is the longest.
    let from = first.len_utf8() + if is_escape { text.chars().nth(1)?.len_utf8() } else { 0 };
    let at = from + text[from..].find(&*literal.close).filter(|at| *at == 0 || (is_escape && *at <= 8))?;
    Some(at + literal.close.len())
}

/// `EOF`, `-'EOF'`, `~EOF`, and the bytes that it takes. A small word alone may be an operand.
fn document(tail: &[u8]) -> Option<(String, usize)> {
    let marked = tail.first().is_some_and(|sign| matches!(sign, b'-' | b'~'));
    let word = &tail[usize::from(marked)..];
    let quote = word.first().copied().filter(|quote| matches!(quote, b'\'' | b'"'));
    let word = &word[usize::from(quote.is_some())..];
    let length = word.iter().take_while(|byte| is_word(**byte)).count();
    let first = word.first()?;
    let is_plain = !marked && quote.is_none();
    let is_name = match is_plain {
        true => length > 1 && (first.is_ascii_uppercase() || *first == b'_'),
        false => is_word(*first) && !first.is_ascii_digit(),
    };
    let is_closed = quote.is_none() || word.get(length) == quote.as_ref();
    let end = tail.len() - word.len() + length + usize::from(quote.is_some());
    (is_name && is_closed).then(|| (String::from_utf8_lossy(&word[..length]).into_owned(), end))
}

/// Behind the word may stand what ends the statement.
fn ends_document(line: &str, word: &str) -> bool {
    line.trim().strip_prefix(word).is_some_and(|rest| rest.trim_matches([';', ',', ')', ']']).is_empty())
}

enum Step {
    Inside(usize),
    Closed(usize),
}

/// As far as a literal goes on for certain.
fn step(literal: &Literal, fence: usize, rest: &[u8]) -> Step {
    let (close, escape) = (literal.close.as_bytes(), literal.escape.as_bytes());
    if close.is_empty() {
        return Step::Inside(rest.len());
    }
    let closes = |rest: &[u8]| {
        let behind = rest.strip_prefix(close);
        behind.is_some_and(|behind| behind.len() >= fence && behind[..fence].iter().all(|byte| *byte == b'#'))
    };
    if !escape.is_empty() && rest.starts_with(escape) {
        match escape == close {
            false => return Step::Inside(escape.len() + 1),
            true if rest[close.len()..].starts_with(close) => return Step::Inside(2 * close.len()),
            true => {}
        }
    }
    if closes(rest) {
        return Step::Closed(close.len() + fence);
    }
    let hides = escape.first().copied().unwrap_or(close[0]);
    Step::Inside(1 + rest[1..].iter().take_while(|byte| **byte != close[0] && **byte != hides).count())
}
