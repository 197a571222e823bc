//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("work-taken-back", "the change puts lines back that a recent commit replaced, in the very place, and nothing says that this is meant. An error where a model made the change, did not write most of the file anew, and no commit of it names the one that it takes back, a warning otherwise"),
    Rule::new("file-put-back", "a file becomes what it was before a recent commit, byte for byte, and nothing says that this is meant. An error where a model made the change and no commit of it names the one that it takes back, a warning otherwise"),
    Rule::new("not-judged", "the change and what came before it are too large to be compared whole, or earlier commits are not in this clone (for information)"),
];
