//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("wrong-type", "a value has a type that its tool does not accept: text for a list, a number for text"),
    Rule::new("wrong-value", "a value is not one of the allowed values"),
    Rule::new("unknown-key", "the tool refuses keys that it does not know, and does not know this one"),
    Rule::new("missing-key", "a key that the tool requires is missing"),
    Rule::new("clashing-keys", "two keys exclude each other"),
];
