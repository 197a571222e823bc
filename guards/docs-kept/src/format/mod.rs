//! Which files are documents, and where their code stands.

mod asciidoc;
mod markdown;
mod rst;

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Markdown,
    /// Markdown with components: what is indented there is no code.
    Mdx,
    /// reStructuredText, and plain text, which borrows its `::`.
    Rst,
    AsciiDoc,
}

#[rustfmt::skip]
pub const GLOBS: &[&str] = &[
    "*.md", "*.MD", "*.markdown", "*.mdown", "*.mkd", "*.mdx", "*.rst", "*.RST", "*.rest", "*.adoc", "*.asciidoc", "*.txt", "*.TXT",
    "README", "INSTALL", "CHANGES", "CHANGELOG", "NEWS", "HISTORY", "CONTRIBUTING", "HACKING", "USAGE", "FAQ",
];

impl Format {
    /// None when the file is no document.
    pub fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let lower = name.to_ascii_lowercase();
        let (stem, extension) = lower.rsplit_once('.').unwrap_or((&lower, ""));
        match extension {
            "md" | "markdown" | "mdown" | "mkd" => Some(Format::Markdown),
            "mdx" => Some(Format::Mdx),
            "rst" | "rest" => Some(Format::Rst),
            "adoc" | "asciidoc" => Some(Format::AsciiDoc),
            // Most text files are data: word lists, requirements, expected output.
            "txt" if is_title(stem) || in_docs(folder) => Some(Format::Rst),
            "" if is_title(stem) && name == name.to_ascii_uppercase() => Some(Format::Rst),
            _ => None,
        }
    }

    /// The code of a text: for each block the bytes that it takes up, fences included, and its code.
    pub fn code(self, text: &str) -> Vec<(Range<usize>, String)> {
        match self {
            Format::Markdown => markdown::code(text, true),
            Format::Mdx => markdown::code(text, false),
            Format::Rst => rst::code(text),
            Format::AsciiDoc => asciidoc::code(text),
        }
    }
}

fn is_title(stem: &str) -> bool {
    #[rustfmt::skip]
    const TITLES: [&str; 12] = [
        "readme", "install", "changes", "changelog", "news", "history", "contributing", "hacking", "usage", "faq", "todo", "index",
    ];
    TITLES.contains(&stem)
}

fn in_docs(folder: &str) -> bool {
    folder
        .split('/')
        .any(|part| matches!(part.to_ascii_lowercase().as_str(), "doc" | "docs" | "documentation" | "manual" | "guide"))
}

/// A line and the byte at which it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

/// Columns of white space before the text of a line.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ' || *c == '\t').map(|c| if c == '\t' { 8 } else { 1 }).sum()
}
