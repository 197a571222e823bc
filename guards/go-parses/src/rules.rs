//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("go-syntax", "a `.go` file does not parse, or nests deeper than 200 brackets"),
];
