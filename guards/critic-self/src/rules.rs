//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("whole", "the pull request as a whole is wrong at a line; error for a blocker or a major objection, warning for a minor one, info for a matter of taste"),
    Rule::new("not-reviewed", "warning: a reviewer gave no answer that can be read"),
];
