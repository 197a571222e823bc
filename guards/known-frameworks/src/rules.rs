//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("framework-invented", "a new sentence, table row or list entry claims a framework for the project, and no manifest in any folder declares it, a part of it, or something built on it. A warning where the document named it before"),
    Rule::new("unreadable", "info: a document is not text, or was not read because the change is very large"),
];
