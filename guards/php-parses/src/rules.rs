//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("php-syntax", "a `.php` file does not parse, or nests deeper than 200 brackets; Blade templates are not judged"),
];
