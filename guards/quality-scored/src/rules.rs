//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("quality-low", "the score of a file is below the threshold; the finding lists what lowers it"),
];
