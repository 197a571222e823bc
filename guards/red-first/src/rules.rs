//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("never-red", "a test that comes with the change passes without it too, so that it proves nothing about the change"),
    Rule::new("still-red", "a test that comes with the change fails with it"),
    Rule::new("not-known", "info: whether a test fails without the change is not known; the message says why"),
    Rule::new("more", "info: there are more tests of one kind than are listed; the message says how many"),
];
