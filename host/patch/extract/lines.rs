//! What all parsers share: lines without their ending, and the errors of a parser.

use std::cell::Cell;
use std::ops::Deref;

use super::json_index::JsonIndex;
use crate::{formats, limits};
use guardhost_core::change::{NoPatch, NoPatchKind};
use guardhost_core::stop::Watch;

/// The reply's lines without `\n`; a `\r` before it is kept.
pub(super) struct Lines<'a> {
    lines: Vec<&'a [u8]>,
    /// For each line, the first one at or after it that is not blank.
    next_text: Vec<u32>,
    /// Where strings of JSON occur, for `json`.
    pub json: JsonIndex,
    /// A marker of the end stood below the last line: nothing of the reply is cut off, whatever a hunk counts.
    pub is_closed: bool,
    /// What looking through unread lines has cost so far, in bytes.
    spent: Cell<usize>,
    watch: &'a Watch,
}

impl<'a> Lines<'a> {
    pub fn new(lines: Vec<&'a [u8]>, watch: &'a Watch) -> Self {
        let mut next_text = vec![lines.len() as u32; lines.len() + 1];
        for at in (0..lines.len()).rev() {
            next_text[at] = if blank(lines[at]) { next_text[at + 1] } else { at as u32 };
        }
        Lines { lines, next_text, json: JsonIndex::default(), is_closed: false, spent: Cell::new(0), watch }
    }

    /// Counts bytes that are looked at again; whether they are still within the budget of a reply.
    pub fn spend(&self, bytes: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(bytes));
        self.spent.get() <= limits::UNREAD_WORK
    }

    pub fn watch(&self) -> &'a Watch {
        self.watch
    }

    /// Takes the indentation of the line `at` from it and from all lines below that have it too.
    pub fn outdent(&mut self, at: usize) {
        let indent = indent(self.lines[at]);
        for line in &mut self.lines[at..] {
            match line.strip_prefix(indent) {
                Some(rest) => *line = rest,
                None if blank(line) => *line = b"",
                None => break,
            }
        }
    }
}

impl<'a> Deref for Lines<'a> {
    type Target = [&'a [u8]];

    /// Whatever reads a line comes here, so that every parser's loops have a checkpoint.
    fn deref(&self) -> &Self::Target {
        self.watch.visit();
        &self.lines
    }
}

pub(super) fn split(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// Whether the reply itself has CR LF, so that a CR belongs to no file: then its headers have it too. In a diff of a file with
/// CR LF only the content has it.
pub(super) fn sent_with_crlf(lines: &[&[u8]]) -> bool {
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
    lines.next_text.get(at).map_or(lines.len(), |next| *next as usize)
}

pub(super) fn indent(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}

/// The text of whole lines.
pub(super) fn joined(lines: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    text
}

/// `at` counts from 0, the message from 1.
pub(super) fn malformed(at: usize, why: impl std::fmt::Display) -> NoPatch {
    NoPatch::new(NoPatchKind::Malformed, format!("Line {} of the reply: {why}", at + 1))
}

pub(super) fn truncated(at: usize, why: impl std::fmt::Display) -> NoPatch {
    let message = format!("The reply was cut off: {why} (it began at line {}). Send the whole patch again.", at + 1);
    NoPatch::new(NoPatchKind::Truncated, message)
}

/// Text of the reply quoted in a message: one line, without control characters, short.
pub(super) fn quote(text: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
