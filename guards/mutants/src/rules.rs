//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("mutant-survived", "a changed line can be broken by a small edit, and all tests still pass; a warning, or an error below the threshold"),
    Rule::new("not-run", "info: nothing is known of some mutants; the message says of how many, and why"),
    Rule::new("more", "info: more mutants survived than are listed; the message says how many"),
];
