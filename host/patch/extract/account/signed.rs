//! Lines with a sign before them that no edit has taken: a change that would be lost, or the list of a text.

use std::ops::Range;

use super::super::lines::blank;
use super::super::unified::signature;

/// How much a line looks like one of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// `-def f():`: no list is written so.
    Tight,
    /// `-    return 1`: code, or the entry of a list with wide margins.
    Wide,
    /// `- an entry`, `-1`, `--flag`, `->`.
    Weak,
}

fn sign(line: &[u8]) -> Option<Sign> {
    let (_, rest) = line.split_first().filter(|(mark, _)| matches!(mark, b'+' | b'-'))?;
    let is_rule = !rest.is_empty() && line.trim_ascii_end().iter().all(|byte| b"+-=| ".contains(byte));
    if is_rule {
        return None;
    }
    Some(match rest {
        [] => Sign::Weak,
        [b' ', b' ', ..] | [b'\t', ..] => Sign::Wide,
        [b' ', ..] => Sign::Weak,
        // `-v, --verbose`
        [letter, after, ..] if letter.is_ascii_alphabetic() && !after.is_ascii_alphanumeric() && *after != b'_' => {
            Sign::Weak
        }
        [byte, ..] if byte.is_ascii_digit() || b"->=.".contains(byte) => Sign::Weak,
        _ => Sign::Tight,
    })
}

/// Where the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextPosition {
    /// In a fence, a tag or a string that holds a patch: no prose is there.
    Envelope,
    /// Right below a hunk of a diff.
    BelowHunk,
    Elsewhere,
}

/// The lines of `text` that look like changes, by their index in it.
pub(super) fn stray(text: &[&[u8]], place: TextPosition) -> Vec<usize> {
    let mut stray = Vec::new();
    // Prose may begin after a blank line.
    let mut is_touching = place == TextPosition::BelowHunk;
    let mut is_below = place == TextPosition::BelowHunk;
    let head = mail_head(text);
    for (at, line) in text.iter().enumerate() {
        if head.contains(&at) {
            (is_touching, is_below) = (false, false);
            continue;
        }
        if blank(line) {
            is_touching = false;
            continue;
        }
        if is_below && signature(text, at) {
            (is_touching, is_below) = (false, false);
            continue;
        }
        let Some(sign) = sign(if is_below { line.trim_ascii_start() } else { line }) else { continue };
        let is_change = match (place, sign) {
            (TextPosition::Envelope, _) | (_, Sign::Tight) => true,
            _ if is_touching || mixed(text, at) => true,
            (_, Sign::Wide) => is_below,
            (_, Sign::Weak) => false,
        };
        if is_change {
            stray.push(at);
        }
    }
    stray
}

/// The head of a patch that `git format-patch` wrote: its subject and its message, in which lists are no lines of a diff.
fn mail_head(text: &[&[u8]]) -> Range<usize> {
    const HASHES: [usize; 2] = [40, 64];
    let is_first = |line: &&[u8]| {
        let hash = line.strip_prefix(b"From ").and_then(|rest| rest.split(|byte| *byte == b' ').next());
        hash.is_some_and(|hash| HASHES.contains(&hash.len()) && hash.iter().all(u8::is_ascii_hexdigit))
    };
    let Some(from) = text.iter().position(is_first) else { return 0..0 };
    let end = text[from..].iter().position(|line| line.trim_ascii_end() == b"---");
    end.map_or(0..0, |end| from..from + end)
}

/// Whether the line is removed above one that is added, or added below one that is removed. A list does not go on so.
pub(super) fn mixed(text: &[&[u8]], at: usize) -> bool {
    let has = |at: Option<usize>, mark: u8| {
        at.and_then(|at| text.get(at)).is_some_and(|line| line.first() == Some(&mark) && sign(line).is_some())
    };
    has(Some(at), b'-') && has(Some(at + 1), b'+') || has(Some(at), b'+') && has(at.checked_sub(1), b'-')
}
