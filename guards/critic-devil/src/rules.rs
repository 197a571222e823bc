//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("mutation", "something is changed that others rely on, and nothing bounds or reports it"),
    Rule::new("success", "a step is taken to succeed, and nothing says what happens if it does not"),
    Rule::new("ambiguity", "two readings are possible, and the code or the text chooses none"),
    Rule::new("opacity", "a failure or a decision leaves no trace for whoever has to find out"),
];
