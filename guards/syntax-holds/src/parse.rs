//! Reading a text with the parser of its syntax.

mod ini;
mod javascript;
mod json;
mod python;
mod rust;
mod toml;
mod yaml;

use crate::duplicates::Duplicate;
use crate::syntax::Syntax;
use guard_nesting::Bracket;

/// Why a text was not read to its end.
#[derive(Debug, PartialEq)]
pub enum Trouble {
    Broken(Problem),
    /// Nested deeper than the parser can follow within a guard's stack. That says nothing about the text being right
    /// or wrong.
    TooDeep,
    /// It is in another language than its name says. Says which.
    Foreign(&'static str),
}

/// The first place where a text leaves its grammar.
#[derive(Debug, PartialEq)]
pub struct Problem {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// What the parser says, on one line.
    pub message: String,
    /// What to do about it, when that is known.
    pub advice: Option<&'static str>,
}

/// In bytes.
const LONGEST_MESSAGE: usize = 160;

impl Problem {
    /// At a byte of the text; an offset outside of it, or inside a character, means the next one before.
    fn at(text: &str, offset: usize, message: impl Into<String>) -> Problem {
        let before = &text[..text.floor_char_boundary(offset)];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        Problem::on(line, before[start..].chars().count() + 1, message)
    }

    fn on(line: usize, column: usize, message: impl Into<String>) -> Problem {
        let mut one_line = message.into().split_whitespace().collect::<Vec<_>>().join(" ");
        // Some parsers list every token that they would have taken.
        if one_line.len() > LONGEST_MESSAGE {
            one_line.truncate(one_line.floor_char_boundary(LONGEST_MESSAGE));
            one_line.push('…');
        }
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).max(1);
        Problem { line: count(line), column: count(column), message: one_line, advice: None }
    }

    fn advising(self, advice: &'static str) -> Problem {
        Problem { advice: Some(advice), ..self }
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Broken(problem)
    }
}

/// The keys that a map of it has twice. Syntaxes that forbid it call the text broken; in code there are none.
pub fn read(syntax: Syntax, text: &str) -> Result<Vec<Duplicate>, Trouble> {
    let none = Ok(Vec::new());
    match syntax {
        Syntax::Json => json::strict(text).map(|()| json::duplicates(text)),
        Syntax::Jsonc => json::with_comments(text).map(|()| json::duplicates(text)),
        Syntax::Json5 => json::json5(text).map(|()| json::duplicates(text)),
        Syntax::JsonLines => json::lines(text).map(|()| json::duplicates(text)),
        Syntax::Yaml => yaml::read(text),
        Syntax::Toml => toml::read(text).and(none),
        Syntax::Ini | Syntax::AnyIni => ini::config_parser(text).map_err(Trouble::from).and(none),
        Syntax::EditorConfig => ini::editor_config(text).map_err(Trouble::from).and(none),
        Syntax::Python => python::read(text).and(none),
        Syntax::Rust => rust::read(text).and(none),
        Syntax::JavaScript => javascript::javascript(text).and(none),
        Syntax::TypeScript => javascript::typescript(text, false).and(none),
        Syntax::Tsx => javascript::typescript(text, true).and(none),
        Syntax::Declarations => javascript::declarations(text).and(none),
    }
}

/// Those that are code, in order; none where they cannot be told from others.
pub fn brackets(syntax: Syntax, text: &str) -> Vec<Bracket> {
    match syntax {
        Syntax::Json | Syntax::Jsonc | Syntax::Json5 => json::brackets(text),
        Syntax::Python => python::brackets(text),
        Syntax::Rust => rust::brackets(text),
        Syntax::JavaScript | Syntax::TypeScript | Syntax::Tsx | Syntax::Declarations => javascript::brackets(text),
        Syntax::JsonLines | Syntax::Toml | Syntax::Yaml => Vec::new(),
        Syntax::Ini | Syntax::AnyIni | Syntax::EditorConfig => Vec::new(),
    }
}
