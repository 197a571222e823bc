//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("not-run", "no test goes over a line of code that the change brings; a warning, or an error below the threshold"),
    Rule::new("not-known", "info: whether the tests go over some lines is not known; the message says of how many, and why"),
    Rule::new("more", "info: there are more lines that no test goes over than are listed; the message says how many"),
];
