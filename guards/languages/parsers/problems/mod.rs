//! Where a text leaves its grammar.

mod bodies;
pub mod javascript;
pub mod python;
pub mod rust;

use guard_nesting::{Bracket, never_closed};
use guard_sdk::language::{self, Problem, Span};

/// Bytes of a message: some parsers list every token that they would have taken.
const LONGEST_MESSAGE: usize = 160;

/// At a byte of the text; an offset outside of it, or inside a character, means the next one before.
fn at(text: &str, offset: usize, message: impl Into<String>) -> Problem {
    let before = &text[..text.floor_char_boundary(offset)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let mut message = message.into().split_whitespace().collect::<Vec<_>>().join(" ");
    if message.len() > LONGEST_MESSAGE {
        message.truncate(message.floor_char_boundary(LONGEST_MESSAGE));
        message.push('…');
    }
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let column = Some(count(before[start..].chars().count() + 1));
    Problem { line: count(line), column, message, advice: None, unclosed: None, whole_as: None, is_certain: true }
}

/// Bytes of a text whose brackets are listed; those of a larger one take more memory than the parser left.
const LISTED: usize = 256 << 10;

/// With the bracket that was never closed, if one was. `brackets` has those that are code; it is called for short texts alone.
fn with_bracket(text: &str, problem: Problem, brackets: impl FnOnce() -> Vec<Bracket>) -> Problem {
    if text.len() > LISTED || text.trim().is_empty() {
        return problem;
    }
    let unclosed = never_closed(text, &brackets()).map(|bracket| {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let line = text[..bracket.at].bytes().filter(|byte| *byte == b'\n').count() + 1;
        let span = Span { start: byte(bracket.at), end: byte(bracket.at + 1) };
        language::Bracket { at: span, line: byte(line), closer: bracket.closer().to_string() }
    });
    Problem { unclosed, ..problem }
}
