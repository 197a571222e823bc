//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("step-dropped", "the last `threshold` changes of a file that the step names all failed or were rejected, within the time window"),
];
