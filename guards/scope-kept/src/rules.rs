//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("manifest-unhinted", "a manifest changes that the task does not name"),
    Rule::new("lock-unhinted", "a lock file changes that the task does not name"),
    Rule::new("compile-fix", "a manifest or lock file changes while a broken build is fixed"),
    Rule::new("outside-hints", "with `strict`, a file changes that no hint covers"),
];
