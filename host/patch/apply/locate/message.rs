//! Messages to a model about a hunk that does not fit: which lines are wrong, and what the file holds there.

use std::fmt::Write;

use super::Locator;
use super::nearest::{Nearest, NearestDifference};
use super::needle::Needle;
use crate::apply::text::{Text, has_text, trim};
use guardhost_core::change::Hunk;

/// Lines of the file that one message shows.
const SHOWN: usize = 12;

/// Lines of the file that one message shows of each of two places.
const COMPARED: usize = 5;

/// Wrong lines that one message names.
const NAMED: usize = 4;

/// Characters of a line that a message shows.
const WIDTH: usize = 160;

/// Positions that one message lists.
const POSITIONS: usize = 12;

impl Locator<'_> {
    /// For a hunk that matches nowhere. `claimed`: where its header says that it starts, from 0.
    pub(super) fn not_found(&self, hunk: &Hunk, needle: &Needle, claimed: Option<usize>) -> String {
        let text = self.text;
        let mut message = String::new();
        if let Some(at) = needle.bytes().position(|line| is_ellipsis(line) && self.index.rows_like(line).is_empty()) {
            let _ = write!(
                message,
                "old line {} of the hunk is `{}`, which cannot stand for lines of the file. Write them out, or end the hunk \
                 there and begin another. ",
                at + 1,
                shown(needle.lines[at].bytes.trim_ascii())
            );
        }
        let Some(Nearest { start, differences }) = self.nearest(needle) else {
            message.push_str("none of the hunk's old lines stands in the file. The patch has:\n");
            for line in needle.bytes().take(NAMED) {
                let _ = writeln!(message, "{}", shown(line));
            }
            match claimed.filter(|line| *line < text.len()) {
                Some(line) => {
                    excerpt(&mut message, text, line, SHOWN, "At the line that the header names, the file reads")
                }
                None => excerpt(&mut message, text, 0, SHOWN, "The file begins"),
            }
            return message;
        };
        let _ = writeln!(
            message,
            "{}. The nearest place begins at line {}:",
            summary(text, needle, &differences),
            start + 1
        );
        differences.iter().take(NAMED).for_each(|one| difference(&mut message, text, needle, *one));
        if differences.len() > NAMED {
            let _ = writeln!(message, "and {} more.", differences.len() - NAMED);
        }
        if let [NearestDifference::Other { line, .. }] = differences[..]
            && needle.lines[line].is_context
            && hunk.lines.len() > 1
        {
            message.push_str(
                "Quote this line of context as the file has it, or change it with - and + if it is to change.\n",
            );
        }
        let first = differences.first().map(|one| match one {
            NearestDifference::Other { row, .. } | NearestDifference::Missing { row } => *row,
            NearestDifference::Extra { line } | NearestDifference::Beyond { line } => start + line,
        });
        let first = first.map_or(start, |row| row.saturating_sub(SHOWN / 2).max(start));
        excerpt(&mut message, text, first, SHOWN, "The file reads");
        message
    }
}

/// What is wrong, without the lines themselves.
fn summary(text: &Text, needle: &Needle, differences: &[NearestDifference]) -> String {
    let more = match differences.len() {
        0 | 1 => String::new(),
        2 => ", and another line differs".to_owned(),
        all => format!(", and {} other lines differ", all - 1),
    };
    let blank = |line: &[u8]| if has_text(line) { "" } else { ", which is blank," };
    let is_margin = |one: &NearestDifference| match one {
        NearestDifference::Other { line, row } => trim(needle.lines[*line].bytes) == trim(text.rows[*row].text),
        NearestDifference::Extra { .. } | NearestDifference::Missing { .. } | NearestDifference::Beyond { .. } => false,
    };
    let is_other =
        |one: &&NearestDifference| matches!(one, NearestDifference::Other { .. } | NearestDifference::Beyond { .. });
    match differences.iter().find(|one| !is_other(one)) {
        Some(NearestDifference::Missing { row }) => {
            format!("line {} of the file{} is missing in the hunk{more}", row + 1, blank(text.rows[*row].text))
        }
        Some(NearestDifference::Extra { line }) => {
            let blank = blank(needle.lines[*line].bytes);
            format!("old line {} of the hunk{blank} is not in the file there{more}", line + 1)
        }
        _ if differences.iter().all(is_margin) => {
            format!(
                "{} of the hunk's {} old lines are indented otherwise than the file's",
                differences.len(),
                needle.len()
            )
        }
        _ => format!("{} of the hunk's {} old lines do not match the file", differences.len(), needle.len()),
    }
}

fn difference(message: &mut String, text: &Text, needle: &Needle, one: NearestDifference) {
    let line = |at: usize| shown(needle.lines[at].bytes);
    let row = |at: usize| format!("line {}", at + 1);
    let _ = match one {
        NearestDifference::Other { line: at, row: own } => {
            writeln!(message, "the patch has   {}\n{} reads   {}", line(at), row(own), shown(text.rows[own].text))
        }
        NearestDifference::Beyond { line: at } => {
            writeln!(message, "the patch has   {}\nthe file ends before it", line(at))
        }
        NearestDifference::Extra { line: at } => {
            writeln!(message, "the patch has   {}\nthe file has no such line there", line(at))
        }
        NearestDifference::Missing { row: own } => {
            writeln!(message, "the patch lacks {}   {}", row(own), shown(text.rows[own].text))
        }
    };
}

/// Three dots alone, or in a comment: what models write for lines that they leave out.
fn is_ellipsis(line: &[u8]) -> bool {
    let is_mark = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte < 0x80;
    let line = line.trim_ascii();
    let dots = line == "…".as_bytes() || line.windows(3).any(|window| window == b"...") && line.iter().all(is_mark);
    dots && line.len() <= 12
}

/// For a hunk whose both counts are too high by `count`, and whose place at `start` goes on with other lines.
pub fn not_trimmed(text: &Text, below: usize, count: u32) -> String {
    let lines = if count == 1 { "line" } else { "lines" };
    let mut message = format!(
        "its @@ line counts {count} more {lines} on both sides than the hunk has, and the file goes on with text there, so the \
         hunk may be incomplete. Send all of it, with the right counts.\n"
    );
    excerpt(&mut message, text, below, SHOWN, "Below the hunk the file reads");
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

/// For a hunk whose heading leaves a place that the order of the hunks does not.
pub fn disordered(start: usize) -> String {
    format!(
        "its heading names the place at line {}, which the order of the hunks contradicts. Give the hunks in the order of the \
         file, or more lines of context above or below the change.",
        start + 1
    )
}

/// For a hunk that fits at one place only, while its header names another; both from 0. `what` in the header names it.
pub fn contradicted(text: &Text, fits: usize, named: usize, what: &str) -> String {
    let mut message = format!(
        "it fits at line {} only, but its {what} names the place at line {}. Correct the {what}, or the lines of the hunk.\n",
        fits + 1,
        named + 1
    );
    excerpt(&mut message, text, named, COMPARED, "There the file reads");
    message.push('\n');
    excerpt(&mut message, text, fits, COMPARED, &format!("At line {}", fits + 1));
    message
}

/// For a hunk whose new lines are at one place and whose old lines at another, both from 0.
pub(super) fn either_place(new: usize, old: usize) -> String {
    format!(
        "its new lines are at line {} already, and its old lines are at line {}. If the second place is to be changed \
         too, give more lines of context that occur there only.",
        new + 1,
        old + 1
    )
}

fn excerpt(message: &mut String, text: &Text, first: usize, count: usize, lead: &str) {
    if text.rows.is_empty() {
        message.push_str("The file is empty.");
        return;
    }
    let _ = write!(message, "{lead}:");
    for (at, row) in text.rows.iter().enumerate().skip(first).take(count) {
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
