//! Style sheets. Browsers skip what they do not understand, and preprocessors have dialects, so only what no reader accepts is broken:
//! brackets, strings and comments that are not closed.

use guard_parsing::{Language, Parsed, Problem, Recursion};
use raffia::ast::Stylesheet;
use raffia::{Parser, Syntax};

const HELP: &str =
    "Close every `{`, bracket, string and comment, and close none twice. The cause may stand a few lines above.";

pub static CSS: Language = Language {
    rule: "css-syntax",
    parse: |text| parse(text, Syntax::Css),
    longest_line: usize::MAX,
    recursion: Recursion::Brackets,
    largest: 384 << 10,
    help: HELP,
};
pub static SCSS: Language = Language {
    rule: "scss-syntax",
    parse: |text| parse(text, Syntax::Scss),
    longest_line: usize::MAX,
    recursion: Recursion::Brackets,
    largest: 384 << 10,
    help: HELP,
};
pub static LESS: Language = Language {
    rule: "less-syntax",
    parse: |text| parse(text, Syntax::Less),
    longest_line: usize::MAX,
    recursion: Recursion::Brackets,
    largest: 384 << 10,
    help: HELP,
};

fn parse(text: &str, syntax: Syntax) -> Parsed {
    let mut parser = Parser::new(text, syntax);
    match parser.parse::<Stylesheet>() {
        Ok(_) => Parsed::Whole,
        Err(_) => match unbalanced(text, syntax != Syntax::Css) {
            Some(problem) => Parsed::Broken(problem),
            None => Parsed::Unknown("it has constructs that this guard's parser does not know"),
        },
    }
}

/// The first bracket, string or comment that is closed too often or not at all.
fn unbalanced(text: &str, line_comments: bool) -> Option<Problem> {
    let bytes = text.as_bytes();
    let (mut open, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => match text[at + 2..].find("*/") {
                Some(end) => at += end + 3,
                None => return Some(Problem::at(text, at, "this comment is never closed")),
            },
            // Not the slashes of an address.
            b'/' if line_comments && bytes.get(at + 1) == Some(&b'/') && (at == 0 || bytes[at - 1] != b':') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
            }
            quote @ (b'"' | b'\'') => match string_end(bytes, at, quote) {
                Some(end) => at = end,
                None => return Some(Problem::at(text, at, "this string is never closed")),
            },
            b'\\' => at += 1,
            bracket @ (b'(' | b'[' | b'{') => open.push((bracket, at)),
            bracket @ (b')' | b']' | b'}') => match open.pop() {
                Some((opened, _)) if closes(opened, bracket) => {}
                Some((opened, place)) => {
                    let message = format!("this `{}` is closed by a `{}`", char::from(opened), char::from(bracket));
                    return Some(Problem::at(text, place, message));
                }
                None => return Some(Problem::at(text, at, format!("this `{}` closes nothing", char::from(bracket)))),
            },
            _ => {}
        }
        at += 1;
    }
    open.pop().map(|(bracket, at)| Problem::at(text, at, format!("this `{}` is never closed", char::from(bracket))))
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}

/// The byte of the closing quote; a string ends with its line, unless the line break is escaped.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return None,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
