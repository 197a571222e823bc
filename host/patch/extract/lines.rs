//! What all parsers share: lines without their ending, fences, and the errors of a parser.

use crate::formats;
use guardhost_core::change::{NoPatch, NoPatchKind};

/// The reply's lines without `\n`; a `\r` before it is kept.
pub(super) type Lines<'a> = [&'a [u8]];

pub(super) fn split(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// Whether the reply itself has CR LF, so that a CR belongs to no file: then its headers have it too. In a diff of a file with
/// CR LF only the content has it.
pub(super) fn sent_with_crlf(lines: &Lines) -> bool {
    let ended = &lines[..lines.len().saturating_sub(1)];
    let is_header = |line: &&&[u8]| formats::begins_with(line.trim_ascii_start(), |row| row.loose_headers);
    let mut headers = ended.iter().filter(is_header);
    let first = headers.next();
    first.is_some_and(|line| line.ends_with(b"\r")) && headers.all(|line| line.ends_with(b"\r"))
}

pub(super) fn blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The first line at or after `at` that is not blank.
pub(super) fn skip_blank(lines: &Lines, at: usize) -> usize {
    (at..lines.len()).find(|&at| !blank(lines[at])).unwrap_or(lines.len())
}

pub(super) fn indent(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}

/// `at` counts from 0, the message from 1.
pub(super) fn malformed(at: usize, why: impl std::fmt::Display) -> NoPatch {
    NoPatch { kind: NoPatchKind::Malformed, message: format!("Line {} of the reply: {why}", at + 1) }
}

pub(super) fn truncated(at: usize, why: impl std::fmt::Display) -> NoPatch {
    let message = format!("The reply was cut off: {why} (it began at line {}). Send the whole patch again.", at + 1);
    NoPatch { kind: NoPatchKind::Truncated, message }
}

/// Text of the reply quoted in a message: one line, without control characters, short.
pub(super) fn quote(text: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// The line that opens a fence, as CommonMark defines it (§4.5), at any indentation.
#[derive(Debug, Clone)]
pub(super) struct Fence<'a> {
    /// Index of its line.
    pub at: usize,
    indent: usize,
    mark: u8,
    len: usize,
    /// What follows the marks, trimmed: a language, often a path.
    pub info: &'a [u8],
}

impl<'a> Fence<'a> {
    pub fn open(lines: &Lines<'a>, at: usize) -> Option<Self> {
        let line = lines.get(at)?;
        let text = line.trim_ascii_start();
        let mark = *text.first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let len = text.iter().take_while(|byte| **byte == mark).count();
        let info = text[len..].trim_ascii();
        (len >= 3 && !(mark == b'`' && info.contains(&b'`'))).then_some(Fence {
            at,
            indent: line.len() - text.len(),
            mark,
            len,
            info,
        })
    }

    /// Whether `line` closes this fence. It is not indented deeper than the opening, so that a fence in a context line does not
    /// close the diff around it.
    pub fn closed_by(&self, line: &[u8]) -> bool {
        let text = line.trim_ascii_start();
        let marks = text.iter().take_while(|byte| **byte == self.mark).count();
        line.len() - text.len() <= self.indent && marks >= self.len && blank(&text[marks..])
    }

    /// Whether it has only three marks, as most fences have.
    pub fn is_narrow(&self) -> bool {
        self.len == 3
    }

    /// Whether `inner` could be a fence inside this one.
    pub fn may_contain(&self, inner: &Fence) -> bool {
        self.mark == inner.mark && inner.len >= self.len && inner.indent <= self.indent
    }
}
