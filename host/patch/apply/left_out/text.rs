//! What a file is made of, and what its lines look like.

use guard_files::Language;
use guardhost_core::change::RepoPath;

/// What a file is made of, as far as dots mean different things in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
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

/// `lines`: of the file itself, whose first one may name its program.
pub(super) fn from_path(path: &RepoPath, lines: &[&[u8]]) -> TextKind {
    let name = path.file_name().to_ascii_lowercase();
    let ends = |ends: &[&[u8]]| ends.iter().any(|end| name.ends_with(end));
    let program = lines.first().and_then(|line| line.strip_prefix(b"#!"));
    if let Some(program) = program.filter(|_| !name.contains(&b'.')) {
        return if bstr::ByteSlice::contains_str(program, "python") { TextKind::Python } else { TextKind::Other };
    }
    // Lists for programs, though they end as prose does.
    let is_list =
        name.starts_with(b"requirements") || name.starts_with(b"constraints") || name.as_slice() == b"cmakelists.txt";
    if is_list && ends(&[b".txt"]) {
        return TextKind::Other;
    }
    match Language::from_path(&String::from_utf8_lossy(&name)) {
        Some(Language::Markdown | Language::ReStructuredText | Language::AsciiDoc | Language::Text) => TextKind::Prose,
        Some(Language::Html | Language::Yaml) => TextKind::Data,
        Some(Language::Python) if ends(&[b".pyi"]) => TextKind::Stubs,
        Some(Language::Python) => TextKind::Python,
        Some(_) => TextKind::Other,
        None if ends(&[b".tex", b".org", b".texi"]) => TextKind::Prose,
        None if ends(&[b".csv", b".tsv", b".log", b".snap", b".out", b".xml", b".svg"]) => TextKind::Data,
        None if ends(&[b".pyx", b".ipynb"]) => TextKind::Python,
        // `README`, `LICENSE`, `ChangeLog`; other names without a dot, such as `Jenkinsfile` and `gradlew`, are of code.
        None => {
            let is_capital = path.file_name().first().is_some_and(u8::is_ascii_uppercase);
            if is_capital && !name.contains(&b'.') && !ends(&[b"file"]) { TextKind::Prose } else { TextKind::Other }
        }
    }
}

pub(super) fn margin(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Whether one of the lines right above, given from the nearest up, is one of Python's interpreter.
pub(super) fn is_example<'l>(above: impl Iterator<Item = &'l [u8]>) -> bool {
    // Examples are short; a file may be one block.
    let mut block = above.take(40).map(|line| line.trim_ascii()).take_while(|line| !line.is_empty());
    block.any(|line| line.starts_with(b">>>"))
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

/// Whether both lines are of the same comment, so that dots in one are a part of its text: of the same mark and margin.
pub(super) fn are_one_comment(dots: &[u8], other: &[u8]) -> bool {
    let mark = |line: &[u8]| -> Vec<u8> {
        line.trim_ascii_start().iter().copied().take_while(|byte| b"#/*-;%!".contains(byte)).collect()
    };
    has_comment_mark(other)
        && margin(dots) == margin(other)
        && mark(dots) == mark(other)
        && !super::placeholder::shape(other).is_some_and(|shape| shape == super::placeholder::Shape::Phrase)
}

/// Whether the line begins as a comment does in code.
pub(super) fn has_comment_mark(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    [&b"#"[..], b"//", b"*", b"/*", b"--", b";", b"%"].iter().any(|mark| line.starts_with(mark))
}
