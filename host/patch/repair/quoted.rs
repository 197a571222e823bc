//! A patch that was quoted as mail is: `> ` before each of its lines, or the bar that a terminal draws there.

use crate::fence::Fence;
use crate::formats;
use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// Lines that a terminal or a page draws beside a quotation.
const BARS: [&str; 6] = ["│", "┃", "║", "▌", "▎", "▏"];

/// The mark taken from the lines of every quotation that holds a patch. Only where the reply has no patch outside of one, and
/// outside of fences, whose lines are content.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    if !text.split(|byte| *byte == b'\n').any(|line| unquoted(line).is_some()) {
        return None;
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let next = |at: usize| lines.get(at + 1).copied().unwrap_or_default();
    if lines.iter().enumerate().any(|(at, line)| is_beginning(line, next(at))) {
        return None;
    }
    let mut plain: Vec<u8> = Vec::with_capacity(text.len());
    let mut fence: Option<Fence> = None;
    let mut found = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        watch.visit();
        if unquoted(line).is_none() || fence.is_some() {
            match &fence {
                Some(open) if open.closed_by(line) => fence = None,
                Some(_) => {}
                None => fence = Fence::open(line, at).filter(|fence| !fence.is_tag()),
            }
            plain.extend_from_slice(line);
            at += 1;
            continue;
        }
        let quotation: Vec<&[u8]> = lines[at..].iter().map_while(|line| unquoted(line)).collect();
        let next = |at: usize| quotation.get(at + 1).copied().unwrap_or_default();
        let is_patch = quotation.iter().enumerate().any(|(at, line)| is_beginning(line, next(at)));
        found |= is_patch;
        at += quotation.len();
        let kept = if is_patch { &quotation[..] } else { &lines[at - quotation.len()..at] };
        kept.iter().for_each(|line| plain.extend_from_slice(line));
    }
    found.then(|| (plain, Note::new("quoted", "the patch was quoted, with > before its lines")))
}

/// The line without its mark. A blank line of a patch may have lost the blank behind it.
fn unquoted(line: &[u8]) -> Option<&[u8]> {
    if let Some(rest) = BARS.iter().find_map(|bar| line.strip_prefix(bar.as_bytes())) {
        return Some(rest.strip_prefix(b" ").unwrap_or(rest));
    }
    match line {
        [b'>', b' ', rest @ ..] => Some(rest),
        // A marker of another format is no quotation.
        [b'>', b'>', b'>', ..] => None,
        [b'>', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Whether a patch begins at the line; `--- a` needs the `+++ b` below it, since a normal diff has `> --- a` for an added line.
fn is_beginning(line: &[u8], next: &[u8]) -> bool {
    line.starts_with(b"--- ") && next.starts_with(b"+++ ") || formats::begins_with(line, |row| row.markers)
}
