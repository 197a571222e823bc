//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("php-syntax", "a `.php` file does not parse, or nests deeper than 200 brackets; or it parsed before, and now has more than 384 KiB, a line of more than 16 KiB, or a chain of more than 300 `else`; Blade templates are not judged"),
];
