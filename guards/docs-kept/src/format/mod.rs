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
    pub fn from_path(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let lower = name.to_ascii_lowercase();
        let (stem, extension) = lower.rsplit_once('.').unwrap_or((&lower, ""));
        match extension {
            "md" | "markdown" | "mdown" | "mkd" => Some(Format::Markdown),
            "mdx" => Some(Format::Mdx),
            "rst" | "rest" => Some(Format::Rst),
            "adoc" | "asciidoc" => Some(Format::AsciiDoc),
            // Most text files are data: word lists, requirements, expected output.
            "txt" if is_title(stem) || (in_docs(folder) && !is_list(stem)) => Some(Format::Rst),
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

/// Whether a `.txt` among documents holds no text: hardly a line of it is made of words.
pub fn is_data(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let Some(stem) = name.strip_suffix(".txt").filter(|stem| !is_title(stem)) else { return false };
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || !c.is_ascii() || c == '\'' || c == '-')
    };
    let (mut all, mut said) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        all += 1;
        said += usize::from(line.split_whitespace().filter(is_word).nth(2).is_some());
    }
    !stem.is_empty() && said * 4 < all
}

/// Files that a tool reads line by line: pip, CMake, crawlers, spell checkers.
fn is_list(stem: &str) -> bool {
    const LISTS: [&str; 6] = ["requirements", "constraints", "cmakelists", "robots", "wordlist", "spelling"];
    stem.split(|c: char| !c.is_alphanumeric()).any(|part| LISTS.contains(&part))
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
