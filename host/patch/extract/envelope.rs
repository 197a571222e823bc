//! What stands around a patch: the markers that a prompt asks for, and tags such as `<patch>`.

use super::lines::{self, truncated};
use crate::formats::{self, END, START};
use guardhost_core::change::NoPatch;

/// Tags that models put around a patch.
const TAGS: [&str; 5] = ["patch", "diff", "unified_diff", "git_diff", "apply_patch"];

/// Blanks every line outside the markers, so that line numbers stay what they were; false when there are no markers.
pub(super) fn keep_between_markers(lines: &mut [&[u8]]) -> Result<bool, NoPatch> {
    if !lines.iter().any(|line| line.trim_ascii_end() == START.as_bytes()) {
        return Ok(false);
    }
    let mut open = None;
    for (at, line) in lines.iter_mut().enumerate() {
        let text = line.trim_ascii_end();
        if text == START.as_bytes() {
            (open, *line) = (Some(at), b"");
        } else if text == END.as_bytes() {
            (open, *line) = (None, b"");
        } else if open.is_none() {
            *line = b"";
        }
    }
    open.map_or(Ok(true), |at| Err(truncated(at, "<<<AI_DIFF_END>>> is missing")))
}

/// Puts the tags around a patch on lines of their own: `<patch>--- a/x` and `+last</patch>` lose theirs, and ` </patch>` loses the
/// blank that would make a context line of it.
pub(super) fn open_tags(lines: &mut [&[u8]]) {
    let mut at = 0;
    while at < lines.len() {
        let Some((tag, rest)) = TAGS.iter().find_map(|tag| Some((*tag, opened(lines[at], tag)?))) else {
            at += 1;
            continue;
        };
        let first = if lines::blank(rest) { (at + 1..lines.len()).find(|at| !lines::blank(lines[*at])) } else { None };
        let first_line = if lines::blank(rest) { first.map_or(&b""[..], |first| lines[first]) } else { rest };
        if !formats::is_first_line(first_line.trim_ascii_start()) {
            at = first.unwrap_or(at + 1).max(at + 1);
            continue;
        }
        if !lines::blank(rest) {
            lines[at] = rest;
        }
        let close = format!("</{tag}>");
        let next_open = (at + 1..lines.len()).find(|&at| opened(lines[at], tag).is_some()).unwrap_or(lines.len());
        let last = (at + 1..next_open).rev().find(|&at| lines[at].trim_ascii_end().ends_with(close.as_bytes()));
        if let Some(last) = last {
            let text = lines[last].trim_ascii_end();
            let before = &text[..text.len() - close.len()];
            lines[last] = if lines::blank(before) { &text[before.len()..] } else { before };
        }
        at = next_open;
    }
}

/// What follows the tag that the line begins with.
fn opened<'l>(line: &'l [u8], tag: &str) -> Option<&'l [u8]> {
    line.trim_ascii_start().strip_prefix(b"<")?.strip_prefix(tag.as_bytes())?.strip_prefix(b">")
}
