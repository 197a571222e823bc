//! Messages to a model about a hunk that does not fit: which lines are wrong, and what the file holds there.

use std::collections::HashMap;
use std::fmt::Write;

use super::index::LineIndex;
use super::needle::Needle;
use super::search::Position;
use crate::apply::text::{Text, trim_end};

/// Lines of the file that one message shows.
const SHOWN: usize = 12;

/// Wrong lines that one message names.
const NAMED: usize = 4;

/// Characters of a line that a message shows.
const WIDTH: usize = 160;

/// Positions that one message lists.
const POSITIONS: usize = 12;

/// A line that occurs more often than this does not help to find the nearest place.
const COMMON: usize = 64;

/// For a hunk that matches nowhere. `claimed`: where its header says that it starts, from 0.
pub(super) fn not_found(text: &Text, index: &LineIndex, needle: &Needle, claimed: Option<usize>) -> String {
    let Some(start) = nearest(index, needle) else {
        let mut message = String::from("none of the hunk's old lines stands in the file. The patch has:\n");
        for line in needle.bytes().take(NAMED) {
            let _ = writeln!(message, "{}", shown(line));
        }
        match claimed.filter(|line| *line < text.len()) {
            Some(line) => excerpt(&mut message, text, line, "At the line that the header names, the file reads"),
            None => excerpt(&mut message, text, 0, "The file begins"),
        }
        return message;
    };
    let wrong: Vec<usize> = (needle.bytes().enumerate())
        .filter(|(at, line)| text.rows.get(start + at).is_none_or(|row| trim_end(row.text) != trim_end(line)))
        .map(|(at, _)| at)
        .collect();
    let mut message = format!(
        "{} of the hunk's {} old lines do not match the file. The nearest place begins at line {}:\n",
        wrong.len(),
        needle.len(),
        start + 1
    );
    for (at, line) in needle.bytes().enumerate().filter(|(at, _)| wrong.contains(at)).take(NAMED) {
        let _ = match text.rows.get(start + at) {
            Some(row) => {
                writeln!(
                    message,
                    "the patch has   {}\nline {} reads   {}",
                    shown(line),
                    start + at + 1,
                    shown(row.text)
                )
            }
            None => writeln!(message, "the patch has   {}\nthe file ends before it", shown(line)),
        };
    }
    if wrong.len() > NAMED {
        let _ = writeln!(message, "and {} more.", wrong.len() - NAMED);
    }
    let first = wrong.first().map_or(start, |at| (start + at).saturating_sub(SHOWN / 2).max(start));
    excerpt(&mut message, text, first, "The file reads");
    message
}

/// For a hunk that matches in several places, given by their first lines from 0.
pub fn ambiguous(starts: &[usize]) -> String {
    let listed: Vec<String> = starts.iter().take(POSITIONS).map(|start| (start + 1).to_string()).collect();
    let more = starts.len().saturating_sub(POSITIONS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "it fits equally well at lines {}{more}, and neither a line number nor a heading decides between them. \
         Give more lines of context above or below the change, so that they occur once in the file.",
        listed.join(", ")
    )
}

/// For a hunk whose new lines are at one place and whose old lines at another, both from 0.
pub(super) fn either_place(new: usize, old: &[Position]) -> String {
    let old = old.first().map_or(0, |position| position.start);
    format!(
        "its new lines are at line {} already, and its old lines are at line {}. If the second place is to be changed \
         too, give more lines of context that occur there only.",
        new + 1,
        old + 1
    )
}

/// The start at which most lines of the needle match, the first of equals.
fn nearest(index: &LineIndex, needle: &Needle) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for common in [COMMON, usize::MAX] {
        for (at, line) in needle.bytes().enumerate() {
            let rows = index.rows_like(line);
            if rows.len() <= common {
                let starts = rows.iter().take(COMMON).filter_map(|row| (*row as usize).checked_sub(at));
                starts.for_each(|start| *votes.entry(start).or_default() += 1);
            }
        }
        if !votes.is_empty() {
            break;
        }
    }
    votes.into_iter().max_by_key(|(start, count)| (*count, std::cmp::Reverse(*start))).map(|(start, _)| start)
}

fn excerpt(message: &mut String, text: &Text, first: usize, lead: &str) {
    if text.rows.is_empty() {
        message.push_str("The file is empty.");
        return;
    }
    let _ = write!(message, "{lead}:");
    for (at, row) in text.rows.iter().enumerate().skip(first).take(SHOWN) {
        let _ = write!(message, "\n{:>6}| {}", at + 1, shown(row.text));
    }
}

/// One line for a message: control characters replaced, cut to [`WIDTH`].
pub fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let escape = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    let mut cut: String = text.chars().take(WIDTH).map(escape).collect();
    if text.chars().nth(WIDTH).is_some() {
        cut.push('…');
    }
    cut
}
