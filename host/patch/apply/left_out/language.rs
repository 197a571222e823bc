//! Where dots are code or prose.

use guardhost_core::change::RepoPath;

/// What a file is made of, as far as dots mean different things in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// Prose, with examples in which lines are left out.
    Prose,
    /// `...` is a value, and the whole body of a declaration.
    Python,
    /// Declarations alone: `...` is every body.
    Stubs,
    /// Text for programs, in which a line of dots may be data.
    Data,
    Other,
}

pub(super) fn of(path: &RepoPath) -> Language {
    let name = path.file_name().to_ascii_lowercase();
    let ends = |ends: &[&[u8]]| ends.iter().any(|end| name.ends_with(end));
    if !name.contains(&b'.') && !ends(&[b"makefile", b"dockerfile", b"justfile", b"gemfile"])
        || ends(&[b".md", b".mdx", b".markdown", b".rst", b".txt", b".adoc", b".tex", b".org", b".texi"])
    {
        return Language::Prose;
    }
    match () {
        () if ends(&[b".pyi"]) => Language::Stubs,
        () if ends(&[b".yml", b".yaml", b".csv", b".tsv", b".log", b".snap", b".out", b".html", b".xml", b".svg"]) => {
            Language::Data
        }
        () if ends(&[b".py", b".pyx", b".ipynb"]) => Language::Python,
        () => Language::Other,
    }
}

/// Lines that a body of `...` may replace: a stub takes the place of `pass` or of an exception, not of a function.
const STUB: usize = 3;

/// Whether dots alone on a line are meant there: as the body of a declaration, as a parameter of C, in an example of Python's
/// interpreter. `lost`: how many lines are missing at that place.
pub(super) fn are_code(language: Language, above: Option<&[u8]>, below: Option<&[u8]>, lost: usize) -> bool {
    let above = above.unwrap_or_default().trim_ascii();
    let below = below.unwrap_or_default().trim_ascii();
    let is_example = above.starts_with(b">>>") || above.starts_with(b"...");
    let is_body = above.ends_with(b":") || above.ends_with(b"\"\"\"") || above.ends_with(b"'''");
    let is_parameter = above.ends_with(b",") && below.starts_with(b")");
    match language {
        Language::Stubs => true,
        Language::Python => lost <= STUB && (is_body || is_example || is_parameter),
        Language::Prose | Language::Data => lost <= STUB && is_example,
        Language::Other => lost <= STUB && (is_parameter || is_example),
    }
}

/// Whether the line is an item of a list in Markdown.
pub(super) fn is_item(line: Option<&[u8]>) -> bool {
    let line = line.unwrap_or_default().trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &line[digits..] {
        [b'-' | b'*' | b'+', b' ', ..] => digits == 0,
        [b'.' | b')', b' ', ..] => digits > 0,
        _ => false,
    }
}

/// Whether the line is a comment, next to which dots in a comment are a part of its text.
pub(super) fn is_comment(line: Option<&[u8]>) -> bool {
    let line = line.unwrap_or_default().trim_ascii();
    has_comment_mark(line)
        && !super::placeholder::shape(line).is_some_and(|shape| shape == super::placeholder::Shape::Phrase)
}

/// Whether the line begins as a comment does in code.
pub(super) fn has_comment_mark(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    [&b"#"[..], b"//", b"*", b"/*", b"--", b";", b"%"].iter().any(|mark| line.starts_with(mark))
}
