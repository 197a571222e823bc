//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("new-objection", "a linter or type checker objects to something in a file that it did not object to on the base"),
    Rule::new("linter-fails", "a linter ends well on the base and fails on the candidate, without an objection that could be read"),
    Rule::new("linter-gone", "a linter that ran on the base cannot run on the candidate"),
    Rule::new("not-run", "info: beside other findings: a linter could not be run; the message says why"),
    Rule::new("more", "there are more than a hundred new objections; the message says how many"),
];
