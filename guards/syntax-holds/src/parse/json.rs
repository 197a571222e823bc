//! JSON (RFC 8259), JSON with comments and trailing commas as editors read it, JSON5, and one JSON value a line.

use jsonc_parser::ParseOptions;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use serde::de::IgnoredAny;

use super::{Problem, Trouble};
use crate::duplicates::{Duplicate, Found, Keys};
use guard_nesting::Bracket;

/// serde_json skips values without recursion, so no depth overflows it.
pub fn strict(text: &str) -> Result<(), Trouble> {
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(problem(&error).into()),
    }
}

fn problem(error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    Problem::on(error.line(), error.column(), message.strip_suffix(&place).unwrap_or(&message))
}

/// A file of comments alone is as empty as an empty file: what reads these files takes neither for an error.
pub fn with_comments(text: &str) -> Result<(), Trouble> {
    lenient(
        text,
        &ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        },
    )
}

/// <https://spec.json5.org>
pub fn json5(text: &str) -> Result<(), Trouble> {
    lenient(text, &ParseOptions { allow_missing_commas: false, ..ParseOptions::default() })
}

fn lenient(text: &str, options: &ParseOptions) -> Result<(), Trouble> {
    match jsonc_parser::parse_to_value(text, options) {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) => Err(Trouble::TooDeep),
        Err(error) => Err(at(text, &error).into()),
    }
}

fn at(text: &str, error: &ParseError) -> Problem {
    Problem::at(text, error.range().start, error.kind().to_string())
}

/// Newline-delimited JSON (<https://jsonlines.org>); blank lines are let pass.
pub fn lines(text: &str) -> Result<(), Trouble> {
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        serde_json::from_str::<IgnoredAny>(line)
            .map_err(|error| Problem { line: index as u32 + 1, ..problem(&error) })?;
    }
    Ok(())
}

/// Bytes of a text, at most, whose keys are kept in memory: what is larger is data that a program wrote.
const LARGEST: usize = 4_000_000;

/// Keys that an object has twice, in a text that [`strict`], [`with_comments`], [`json5`] or [`lines`] took. Of another text, anything.
pub fn duplicates(text: &str) -> Vec<Duplicate> {
    if text.len() > LARGEST {
        return Vec::new();
    }
    let mut keys = Keys::default();
    // Whether each open bracket is an object's.
    let mut open = Vec::new();
    let mut wants_key = false;
    walk(text, |at, token| match token {
        Token::Sign(b'{') => {
            keys.enter();
            open.push(true);
            wants_key = true;
        }
        Token::Sign(b'[') => {
            open.push(false);
            wants_key = false;
        }
        Token::Sign(b'}' | b']') => {
            if open.pop() == Some(true) {
                keys.leave();
            }
            wants_key = false;
        }
        Token::Sign(b',') => wants_key = open.last() == Some(&true),
        Token::Text(name) if wants_key => {
            keys.key(name, at);
            wants_key = false;
        }
        Token::Sign(_) | Token::Text(_) => {}
    });
    let found = keys.found();
    if found.is_empty() {
        return Vec::new();
    }
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |at: usize| u32::try_from(ends.partition_point(|end| *end < at) + 1).unwrap_or(u32::MAX);
    let duplicate = |found: Found| Duplicate {
        place: found.place,
        line: line(found.at),
        first: line(found.first),
        key: found.key.into_owned(),
    };
    found.into_iter().map(duplicate).collect()
}

/// In order. A comma, a colon and what stands between brackets is no matter here.
pub fn brackets(text: &str) -> Vec<Bracket> {
    let mut found = Vec::new();
    walk(text, |at, token| match token {
        Token::Sign(sign @ (b'{' | b'[' | b'}' | b']')) => found.push(Bracket { at, sign }),
        Token::Sign(_) | Token::Text(_) => {}
    });
    found
}

/// What a text of JSON, of any dialect, consists of beside white space and comments.
enum Token<'t> {
    Sign(u8),
    /// A string without its quotes, its escapes as they stand; or a run of other letters.
    Text(&'t str),
}

/// Calls with each token and the byte where it begins.
fn walk<'t>(text: &'t str, mut each: impl FnMut(usize, Token<'t>)) {
    let bytes = text.as_bytes();
    let until = |from: usize, stop: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| stop(*byte)).map_or(bytes.len(), |length| from + length)
    };
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => {
                let rest = bytes[at + 1..].iter();
                at += 1 + rest.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = until(at, &|byte| byte == b'\n'),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |length| at + 2 + length + 2);
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                let end = loop {
                    let rest = bytes.get(at..).unwrap_or_default();
                    match rest.iter().position(|byte| *byte == quote || *byte == b'\\') {
                        Some(length) if rest[length] == quote => break at + length,
                        Some(length) => at += length + 2,
                        None => break bytes.len(),
                    }
                };
                each(start, Token::Text(text.get(start + 1..end).unwrap_or_default()));
                at = end + 1;
            }
            sign @ (b'{' | b'}' | b'[' | b']' | b',' | b':') => {
                each(start, Token::Sign(sign));
                at += 1;
            }
            _ => {
                at = until(at + 1, &|byte| byte.is_ascii_whitespace() || b"{}[],:\"'/".contains(&byte));
                each(start, Token::Text(&text[start..at]));
            }
        }
    }
}
