//! JSON (RFC 8259), JSON with comments and trailing commas as editors read it, JSON5, and one JSON value a line.

use jsonc_parser::ParseOptions;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use serde::de::IgnoredAny;

use super::{Problem, Trouble};

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
