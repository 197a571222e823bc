//! Which lines of a file begin in code, and not in a string or a comment that a line above opened.

use std::ops::Range;

use guard_sdk::files::Language;

use crate::lexis::{Apostrophe, BlockComments, Lexis, LineComment};

/// What is open at the beginning of a line.
#[derive(Clone)]
pub(crate) enum Open {
    Code,
    /// Until these bytes; a backslash may hide them.
    Until(End, Escape),
    /// `/* … */`, with its depth where comments nest.
    Comment(u32),
    /// Until a line that holds nothing but this word.
    Heredoc(String),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Escape {
    Backslash,
    None,
}

/// What closes a string.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Quotes(&'static [u8]),
    /// A double quote, and as many hashes.
    Raw(usize),
}

impl End {
    fn first(self) -> u8 {
        match self {
            End::Quotes(quotes) => quotes[0],
            End::Raw(_) => b'"',
        }
    }

    fn len(self) -> usize {
        match self {
            End::Quotes(quotes) => quotes.len(),
            End::Raw(hashes) => 1 + hashes,
        }
    }

    fn closes(self, rest: &[u8]) -> bool {
        match self {
            End::Quotes(quotes) => rest.starts_with(quotes),
            End::Raw(hashes) => {
                rest.first() == Some(&b'"') && rest.len() > hashes && rest[1..=hashes].iter().all(|byte| *byte == b'#')
            }
        }
    }
}

/// One entry a line. None when the file ends in a string or a comment: it was then misread somewhere, and no line of it is certain.
pub fn lines_in_code(text: &str, language: Language) -> Option<Vec<bool>> {
    let lexer = Lexer::of_language(language)?;
    if !lexer.lexis.crosses_lines {
        return Some(vec![true; text.lines().count()]);
    }
    let mut open = Open::Code;
    let mut in_code = Vec::new();
    for line in text.lines() {
        in_code.push(matches!(open, Open::Code));
        if matches!(open, Open::Code) && is_fence(line) {
            continue;
        }
        open = lexer.after(open, line, &mut |_, _| {});
    }
    matches!(open, Open::Code).then_some(in_code)
}

/// What a byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Code,
    String,
    Comment,
}

/// The runs of a line's bytes that are no code, in order; the signs around a string are its own.
pub(crate) type Runs = Vec<(Range<usize>, Part)>;

impl Lexer {
    /// Gives the runs of a line in place of those that are there, and says what is open behind it.
    pub fn runs(&self, open: Open, text: &str, runs: &mut Runs) -> Open {
        runs.clear();
        if matches!(open, Open::Code) && is_fence(text) {
            return open;
        }
        self.after(open, text, &mut |range: Range<usize>, part| {
            let range = range.start.min(text.len())..range.end.min(text.len());
            match runs.last_mut().filter(|(last, of)| *of == part && last.end == range.start) {
                Some((last, _)) => last.end = range.end,
                None if part != Part::Code && !range.is_empty() => runs.push((range, part)),
                None => {}
            }
        })
    }
}

/// Three backticks, and at most the name of a language.
pub fn is_fence(line: &str) -> bool {
    let Some(info) = line.trim_end().strip_prefix("```") else { return false };
    info.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-_.#`".contains(&byte))
}

/// What tells the lines of one language apart.
pub(crate) struct Lexer {
    pub lexis: &'static Lexis,
    /// By its value, whether something may begin with a byte of code.
    opens: [bool; 256],
}

impl Lexer {
    pub fn of_language(language: Language) -> Option<Self> {
        let lexis = Lexis::of_language(language)?;
        let mut opens = [false; 256];
        for byte in b"\"'\\" {
            opens[usize::from(*byte)] = true;
        }
        opens[usize::from(b'#')] = lexis.line_comment != LineComment::Slashes;
        opens[usize::from(b'/')] =
            lexis.line_comment == LineComment::Slashes || lexis.block_comments != BlockComments::None;
        opens[usize::from(b'<')] = lexis.heredocs;
        opens[usize::from(b'`')] = lexis.backticks;
        opens[usize::from(b'r')] = lexis.raw_strings;
        Some(Lexer { lexis, opens })
    }

    /// What is open behind `line`. Reads each byte once.
    fn after(&self, open: Open, line: &str, mark: &mut dyn FnMut(Range<usize>, Part)) -> Open {
        after(open, line, self, mark)
    }
}

fn after(mut open: Open, line: &str, lexer: &Lexer, mark: &mut dyn FnMut(Range<usize>, Part)) -> Open {
    let lexis = lexer.lexis;
    let bytes = line.as_bytes();
    let mut heredoc = None;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match &mut open {
            Open::Heredoc(word) => {
                mark(0..bytes.len(), Part::String);
                return if line.trim() == word { Open::Code } else { open };
            }
            Open::Until(end, escape) => {
                let from = at;
                if *escape == Escape::Backslash && rest[0] == b'\\' {
                    at += 2;
                } else if end.closes(rest) {
                    at += end.len();
                    open = Open::Code;
                } else {
                    let first = end.first();
                    at += 1 + rest[1..].iter().take_while(|byte| **byte != first && **byte != b'\\').count();
                }
                mark(from..at, Part::String);
            }
            Open::Comment(depth) => {
                let from = at;
                if rest.starts_with(b"*/") {
                    at += 2;
                    *depth -= 1;
                    if *depth == 0 {
                        open = Open::Code;
                    }
                } else if lexis.block_comments == BlockComments::Nested && rest.starts_with(b"/*") {
                    at += 2;
                    *depth += 1;
                } else {
                    at += 1 + rest[1..].iter().take_while(|byte| !matches!(byte, b'*' | b'/')).count();
                }
                mark(from..at, Part::Comment);
            }
            Open::Code => {
                let plain = rest.iter().take_while(|byte| !lexer.opens[usize::from(**byte)]).count();
                if plain > 0 {
                    at += plain;
                    continue;
                }
                if begins_line_comment(rest, lexis.line_comment, at == 0 || bytes[at - 1].is_ascii_whitespace()) {
                    mark(at..bytes.len(), Part::Comment);
                    break;
                }
                if let Some((word, length)) = begins_heredoc(rest, lexis) {
                    heredoc = Some(word);
                    at += length;
                    continue;
                }
                let (next, length) = begins(rest, lexis, at > 0 && is_word(bytes[at - 1]));
                let part = match next {
                    Open::Comment(_) => Part::Comment,
                    Open::Until(..) => Part::String,
                    Open::Code | Open::Heredoc(_) => Part::Code,
                };
                open = next;
                mark(at..at + length, part);
                at += length;
            }
        }
    }
    match (open, heredoc) {
        (Open::Code, Some(word)) => Open::Heredoc(word),
        // A string of one line ends with its line, whatever stands in it.
        (Open::Until(end, _), _) if !crosses_lines(end, lexis) => Open::Code,
        (open, _) => open,
    }
}

fn begins_line_comment(rest: &[u8], form: LineComment, after_blank: bool) -> bool {
    match form {
        LineComment::Hash => rest[0] == b'#',
        LineComment::HashOfWord => rest[0] == b'#' && after_blank,
        LineComment::Slashes => rest.starts_with(b"//"),
    }
}

/// `<<EOF`, `<<-'EOF'`, `<<~EOF`, and the bytes that it takes.
fn begins_heredoc(rest: &[u8], lexis: &Lexis) -> Option<(String, usize)> {
    if !lexis.heredocs || rest.starts_with(b"<<<") {
        return None;
    }
    let tail = rest.strip_prefix(b"<<")?;
    let word = tail.strip_prefix(b"-").or_else(|| tail.strip_prefix(b"~")).unwrap_or(tail);
    let word = word.strip_prefix(b" ").unwrap_or(word);
    let quoted = word.first().is_some_and(|quote| matches!(quote, b'\'' | b'"'));
    let word = &word[usize::from(quoted)..];
    let length = word.iter().take_while(|byte| is_word(**byte)).count();
    let named = word.first().is_some_and(|first| first.is_ascii_uppercase() || *first == b'_');
    let end = rest.len() - word.len() + length + usize::from(quoted);
    (named && length > 1).then(|| (String::from_utf8_lossy(&word[..length]).into_owned(), end.min(rest.len())))
}

/// What the bytes open, and how many of them.
fn begins(rest: &[u8], lexis: &Lexis, after_word: bool) -> (Open, usize) {
    let until = |end: &'static [u8], length, escape| (Open::Until(End::Quotes(end), escape), length);
    for quotes in [&b"\"\"\""[..], b"'''"] {
        if lexis.triple_quotes && rest.starts_with(quotes) {
            return until(quotes, 3, Escape::Backslash);
        }
    }
    match rest[0] {
        b'/' if lexis.block_comments != BlockComments::None && rest.starts_with(b"/*") => (Open::Comment(1), 2),
        b'r' if lexis.raw_strings && !after_word => match raw(rest) {
            Some(hashes) => (Open::Until(End::Raw(hashes), Escape::None), 2 + hashes),
            None => (Open::Code, 1),
        },
        b'"' => until(b"\"", 1, Escape::Backslash),
        b'\'' => match (lexis.apostrophe, rest) {
            (Apostrophe::Character, [_, b'\\', _, ..]) => until(b"'", 3, Escape::None),
            (Apostrophe::Character, [_, _, b'\'', ..]) => (Open::Code, 3),
            (Apostrophe::Character, _) => (Open::Code, 1),
            (Apostrophe::Verbatim, _) => until(b"'", 1, Escape::None),
            (Apostrophe::String, _) => until(b"'", 1, Escape::Backslash),
        },
        b'`' if lexis.backticks => until(b"`", 1, Escape::Backslash),
        b'\\' => (Open::Code, 2),
        _ => (Open::Code, 1),
    }
}

/// `r"`, `r#"`, …: how many hashes it has.
fn raw(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    (rest.get(1 + hashes) == Some(&b'"')).then_some(hashes)
}

fn crosses_lines(end: End, lexis: &Lexis) -> bool {
    match end {
        End::Raw(_) => lexis.long_strings,
        End::Quotes(quotes) => {
            let is_character = lexis.apostrophe == Apostrophe::Character && quotes == b"'";
            (lexis.long_strings && !is_character) || quotes.len() == 3 || quotes == b"`"
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
