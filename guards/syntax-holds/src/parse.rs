//! Reading a text with the parser of its syntax.

mod ini;
mod json;
mod toml;
mod yaml;

use guard_sdk::language::{self, Unknown};

use crate::duplicates::Duplicate;
use crate::sides::{Piece, Sides};
use crate::syntax::Syntax;
use guard_nesting::Bracket;

/// Why a text was not read to its end.
#[derive(Debug, PartialEq)]
pub enum Trouble {
    Broken(Problem),
    /// Nested deeper than the parser can follow within a guard's stack. That says nothing about the text being right
    /// or wrong.
    TooDeep,
    /// It is in another language than its name says, or no text that is read. Says which.
    Foreign(String),
    /// Its grammar recovers where a macro or an extension may be meant, and is not certain.
    Uncertain,
}

impl Trouble {
    /// The dialect of its language in which the text is whole.
    pub fn whole_as(&self) -> Option<String> {
        match self {
            Trouble::Broken(problem) => problem.whole_as.clone(),
            Trouble::TooDeep | Trouble::Foreign(_) | Trouble::Uncertain => None,
        }
    }
}

/// The first place where a text leaves its grammar.
#[derive(Debug, PartialEq)]
pub struct Problem {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: Option<u32>,
    /// What the parser says, on one line.
    pub message: String,
    /// What to do about it, when that is known.
    pub advice: Option<String>,
    /// The byte of the one bracket that was never closed, and what closes it, where the parser knows.
    pub unclosed: Option<(usize, String)>,
    /// The dialect of its language in which the text is whole.
    pub whole_as: Option<String>,
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
        Problem {
            line: count(line),
            column: Some(count(column)),
            message: one_line,
            advice: None,
            unclosed: None,
            whole_as: None,
        }
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble::Broken(problem)
    }
}

impl From<language::Problem> for Problem {
    fn from(problem: language::Problem) -> Problem {
        let language::Problem { line, column, message, advice, unclosed, whole_as, is_certain: _ } = problem;
        let unclosed = unclosed.map(|bracket| (bracket.at.start as usize, bracket.closer));
        Problem { line, column, message, advice, unclosed, whole_as }
    }
}

/// The keys that a map of it has twice. Syntaxes that forbid it call the text broken; in code there are none.
pub fn read(sides: &Sides, syntax: &Syntax, piece: Piece) -> Result<Vec<Duplicate>, Trouble> {
    let none = Ok(Vec::new());
    let text = sides.text(piece);
    match syntax {
        Syntax::Json => json::strict(text).map(|()| json::duplicates(text)),
        Syntax::Jsonc => json::with_comments(text).map(|()| json::duplicates(text)),
        Syntax::Json5 => json::json5(text).map(|()| json::duplicates(text)),
        Syntax::JsonLines => json::lines(text).map(|()| json::duplicates(text)),
        Syntax::Yaml => yaml::read(text),
        Syntax::Toml => toml::read(text).and(none),
        Syntax::Ini | Syntax::AnyIni => ini::config_parser(text).map_err(Trouble::from).and(none),
        Syntax::EditorConfig => ini::editor_config(text).map_err(Trouble::from).and(none),
        Syntax::Code(_) => code(sides, piece).and(none),
    }
}

fn code(sides: &Sides, piece: Piece) -> Result<(), Trouble> {
    match sides.problems(piece) {
        Ok(problems) if problems.is_empty() => Ok(()),
        Ok(problems) => match problems.into_iter().find(|problem| problem.is_certain) {
            Some(problem) => Err(Problem::from(problem).into()),
            None => Err(Trouble::Uncertain),
        },
        Err(Unknown::TooDeep) => Err(Trouble::TooDeep),
        Err(Unknown::Foreign(language)) => {
            Err(Trouble::Foreign(format!("it is in {language}, which this guard does not know")))
        }
        Err(Unknown::Unreadable(why) | Unknown::Failed(why) | Unknown::Other(why)) => Err(Trouble::Foreign(why)),
        Err(Unknown::Absent | Unknown::NotGranted | Unknown::Unsupported | Unknown::Broken | Unknown::BeyondLimit) => {
            Err(Trouble::Foreign("it cannot be read".to_owned()))
        }
    }
}

/// Those that are code, in order; none where they cannot be told from others, or where the host has told the one that matters.
pub fn brackets(syntax: &Syntax, text: &str) -> Vec<Bracket> {
    match syntax {
        Syntax::Json | Syntax::Jsonc | Syntax::Json5 => json::brackets(text),
        Syntax::JsonLines | Syntax::Toml | Syntax::Yaml | Syntax::Code(_) => Vec::new(),
        Syntax::Ini | Syntax::AnyIni | Syntax::EditorConfig => Vec::new(),
    }
}
