//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("caller-left-behind", "a signature changes, and a call that the change leaves as it was no longer fits it"),
    Rule::new("call-misfits", "a call that the change brings in does not fit the function of this repository that it calls"),
    Rule::new("not-judged", "info: calls were not looked for in a file, because the change concerns more than one call can read"),
];
