//! The message for lines that look like an edit and that no parser has read.

use super::super::lines::{Lines, malformed, quote};
use crate::fence::Fence;
use guardhost_core::change::NoPatch;

/// A line that looks like an edit, and what it looks like.
pub(super) struct Rest {
    pub at: usize,
    pub why: String,
}

/// The first of the lines and why it may be an edit, with the numbers of the others; None where there is none.
pub(super) fn of(mut rest: Vec<Rest>, lines: &Lines) -> Option<NoPatch> {
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
    Some(malformed(first.at, why))
}

/// Further lines that a message names.
const OTHERS: usize = 8;
