//! The message for lines that look like an edit and that no parser has read.

use super::super::lines::{Lines, malformed, quote};
use crate::fence::Fence;
use guardhost_core::change::{AccountPart, LineRole, NoPatch};

/// A line that looks like an edit, and what it looks like.
pub(super) struct Rest {
    pub at: usize,
    pub why: String,
}

/// The first of the lines and why it may be an edit, with the numbers of the others; None where there is none. `parts` is what all
/// lines were read as.
pub(super) fn from_rest(mut rest: Vec<Rest>, lines: &Lines, parts: &[AccountPart]) -> Option<NoPatch> {
    rest.sort_by_key(|rest| rest.at);
    rest.dedup_by_key(|rest| rest.at);
    let first = rest.first()?;
    let others: Vec<String> = rest.iter().skip(1).take(OTHERS).map(|rest| (rest.at + 1).to_string()).collect();
    let more = if rest.len() > 1 + OTHERS { ", …" } else { "" };
    let others = match others.as_slice() {
        [] => String::new(),
        [one] => format!(" (line {one} too)"),
        some => format!(" (lines {}{more} too)", some.join(", ")),
    };
    let line = lines[first.at].trim_ascii();
    // The marks of a fence say nothing.
    let quoted = if Fence::open(line, 0).is_some() { String::new() } else { quote(line) + " " };
    let why = format_args!(
        "{quoted}{}{others}. Nothing was applied, since it may be a part of the change; send every change in one format, and only \
         those that are meant",
        first.why
    );
    Some(NoPatch { parts: with_rest(parts, &rest), ..malformed(first.at, why) })
}

/// The parts with each line of the rest as one of its own. A fence that is rest is so as a whole.
fn with_rest(parts: &[AccountPart], rest: &[Rest]) -> Vec<AccountPart> {
    let mut rest = rest.iter().map(|rest| rest.at).peekable();
    let mut split = Vec::with_capacity(parts.len());
    for part in parts {
        let mut from = part.lines.start;
        while let Some(at) = rest.next_if(|at| *at < part.lines.end) {
            if part.role == LineRole::Rest {
                continue;
            }
            let own = AccountPart { lines: from..at, role: part.role };
            let left = AccountPart { lines: at..at + 1, role: LineRole::Rest };
            split.extend([own, left].into_iter().filter(|part| !part.lines.is_empty()));
            from = at + 1;
        }
        if from < part.lines.end {
            split.push(AccountPart { lines: from..part.lines.end, role: part.role });
        }
    }
    split
}

/// Further lines that a message names.
const OTHERS: usize = 8;
