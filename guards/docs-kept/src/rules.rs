//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("code-loss", "less than 30 % of a document's code is left, and it went nowhere else. A warning in a document that is written anew"),
    Rule::new("doc-shrunk", "less than 30 % of a document's text is left, and it went nowhere else. A warning beside documents that are written anew"),
    Rule::new("code-swapped", "a code block below an unchanged line of text was replaced by a block with hardly a word in common, neither of its words nor of the other's"),
    Rule::new("block-lost", "a code block was removed and nothing else, or the line with a colon that announces it is still there"),
    Rule::new("newline-collapsed", "lines of the base returned as one line, joined by `\\n`; or a new line contains `\\n` where only a line break makes sense. Strings, patterns, paths and LaTeX are fine; has a fix if every `\\n` of the line can only be a line break"),
    Rule::new("placeholder", "a line such as \"rest of file unchanged\" replaces lines"),
    Rule::new("unreadable", "info: a document is not text, and was not judged"),
    Rule::new("not-judged", "info: a document was not read, because the change has more than 3 MB of documents, before and after together"),
];
