//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("go-syntax", "a `.go` file does not parse, or nests deeper than 200 brackets; or it parsed before, and now has more than 1 MiB, a line of more than 4 KiB, or a chain of more than 300 `else`"),
];
