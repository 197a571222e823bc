//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("new-error", "the compiler reports an error in a file that it did not report for the base"),
    Rule::new("build-fails", "the base builds, and the candidate's build fails without an error that could be parsed"),
    Rule::new("build-gone", "the tool that built the base cannot build the candidate"),
    Rule::new("not-run", "info: beside other findings: a build could not be run; the message says why"),
    Rule::new("more", "there are more than a hundred new errors; the message says how many"),
];
