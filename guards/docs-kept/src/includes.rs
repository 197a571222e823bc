//! Ways in which a document takes code from a file.

use crate::document::Document;

/// How a line begins that does nothing but fetch code: AsciiDoc, Sphinx, mdBook, MkDocs, VitePress, MarkdownSnippets, embedmd.
#[rustfmt::skip]
const STARTS: [&str; 11] = [
    ".. literalinclude::", ".. include::", "include::", "{{#include ", "{{#rustdoc_include ", "--8<-- ", "<<< ", "<!-- snippet:", "[embedmd]:#", "<code-block src=", "{src=",
];
/// What the line of a fence says if a file fills it: MyST, Docusaurus.
const FENCES: [&str; 4] = ["{literalinclude}", "{include}", " file=", " reference"];

/// Whether a line does nothing but fetch code from a file.
pub fn fetches(line: &str) -> bool {
    let line = line.trim();
    let is_fence = line.starts_with("```") || line.starts_with("~~~");
    // Attributes of Writerside stand in any order, on a line of their own below the fence or in a tag.
    let has_source =
        (line.starts_with('{') && line.ends_with('}') || line.starts_with("<code-block ")) && line.contains(" src=\"");
    has_source
        || STARTS.iter().any(|start| line.starts_with(start))
        || (is_fence && FENCES.iter().any(|sign| line.contains(sign)))
}

/// Lines below the one that leads to a block, in which a file is named if it fills the block.
const BELOW: usize = 6;

/// Whether a file fills what a line leads to.
pub fn follow(document: &Document, lead: &str) -> bool {
    let lines: Vec<&str> = document.lines().map(|(_, line)| line).collect();
    let at = lines.iter().position(|line| *line == lead);
    at.is_some_and(|at| lines[at + 1..].iter().take(BELOW).any(|line| fetches(line)))
}
