//! Comments that tell a checker to look away, and casts that do the same.

use lexing::Line;

/// How far a comment reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    File,
    Line,
}

/// Signs of a whole file, in a comment that begins with them.
#[rustfmt::skip]
const FILE: [&str; 18] = [
    "mypy: ignore-errors", "flake8: noqa", "ruff: noqa", "pylint: skip-file", "pylint: disable=all", "pyright: ignore-all", "pyre-ignore-all-errors", "type: ignore-file", "@ts-nocheck", "eslint-disable */", "biome-ignore-all",
    "deno-lint-ignore-file", "oxlint-disable */", "tslint:disable */", "rubocop:disable all", "phpcs:ignoreFile", "phpcs:disable", "stylelint-disable */",
];
/// Attributes of a whole file, of Rust.
#[rustfmt::skip]
const ATTRIBUTES: [&str; 5] = ["#![allow(warnings", "#![allow(clippy::all", "#![allow(unused)", "#![allow(dead_code", "#![allow(unused_"];
#[rustfmt::skip]
const LINE: [&str; 18] = [
    "noqa", "type: ignore", "pyright: ignore", "ty: ignore", "pylint: disable", "pragma: no cover", "@ts-ignore", "@ts-expect-error", "eslint-disable", "biome-ignore", "oxlint-disable", "istanbul ignore", "c8 ignore", "v8 ignore",
    "nolint", "rubocop:disable", "phpstan-ignore", "psalm-suppress",
];
/// In code.
const CASTS: [&str; 4] = [" as any", "cast(Any,", "as unknown as ", "@SuppressWarnings("];

/// Whether a line may hold one of the signs, whatever of it is a comment.
pub fn may_reach(line: &str) -> bool {
    let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let has = |sign: &str| {
        let sign = sign.strip_suffix(" */").unwrap_or(sign).replace(' ', "");
        compact.contains(&sign)
    };
    compact.contains("#[allow(") || FILE.iter().chain(&ATTRIBUTES).chain(&LINE).chain(&CASTS).any(|sign| has(sign))
}

pub fn reach(line: &Line) -> Option<Reach> {
    let comment = line.comment.trim();
    let said = comment.trim_start_matches(['/', '*', '#', '!', ' ', '<', '-']);
    let is_alone = line.code.trim().is_empty();
    let compact: String = line.code.chars().filter(|c| !c.is_whitespace()).collect();
    if (is_alone && FILE.iter().any(|sign| is_file(said, comment, sign)))
        || ATTRIBUTES.iter().any(|sign| compact.starts_with(&sign.replace(' ', "")))
    {
        return Some(Reach::File);
    }
    let in_comment = LINE.iter().any(|sign| said.starts_with(sign) || comment.contains(&format!(" {sign}")));
    (in_comment || CASTS.iter().any(|cast| line.code.contains(cast)) || compact.starts_with("#[allow("))
        .then_some(Reach::Line)
}

/// Of a comment in two signs, nothing may stand behind: with names of rules it is no blanket.
fn is_file(said: &str, comment: &str, sign: &str) -> bool {
    match sign.strip_suffix(" */") {
        Some(word) => {
            comment.starts_with("/*")
                && said
                    .strip_prefix(word)
                    .is_some_and(|rest| rest.trim_start().starts_with("*/") || rest.trim_start().starts_with("--"))
        }
        None => said.strip_prefix(sign).is_some_and(|rest| {
            // `# ruff: noqa: E501` names a rule.
            let rest = rest.trim_start();
            let names_a_rule = sign.ends_with("noqa") && rest.starts_with(':');
            !names_a_rule && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        }),
    }
}
