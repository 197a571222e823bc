//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("step-dropped", "the last changes of a file that the step names failed or were rejected, within the time window, and weigh as much as `threshold` of them just now"),
];
