//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("shell-syntax", "a script of sh, bash, dash or ksh does not parse, or nests deeper than 200 brackets: a `.sh`, `.bash` or `.ksh` file, or a file without an ending in `bin`, `scripts`, `script` or `.husky` whose first line names such a shell"),
];
