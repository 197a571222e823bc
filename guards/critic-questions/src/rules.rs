//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("gap", "a question about the change has no answer, or the line that is cited for it is not there"),
    Rule::new("uncertain", "warning: whoever answers is not certain"),
];
