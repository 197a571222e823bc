//! A placed hunk as edits of rows, and what it means for the file's end.

use std::borrow::Cow;

use super::lines::{Ending, Row, Text, columns, margin, trim, without_cr};
use super::search::tab_widths;
use super::splice::{Edit, Finish};
use guardhost_core::change::{Hunk, Line};

/// The edits of a hunk that stands at row `start`. Lines that it removes and adds again unchanged stay the file's own.
/// True beside them when the margins of added lines were converted.
pub(super) fn edits<'h>(text: &Text, hunk: &'h Hunk, start: usize) -> (Vec<Edit<'h>>, bool) {
    let margins = Margins::of(text, hunk, start);
    let mut edits = Vec::new();
    let mut at = start;
    for chunk in hunk.lines.chunk_by(|a, b| is_context(a) == is_context(b)) {
        let old: Vec<&[u8]> = chunk.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
        if is_context(&chunk[0]) {
            at += old.len();
            continue;
        }
        let new: Vec<&[u8]> = chunk.iter().filter(|line| line.is_new()).map(Line::bytes).collect();
        let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(old, new)| old == new).count();
        // A misquoted last line may lie beyond the file's end, and what comes after it too.
        let first = (at + head).min(text.len());
        let add: Vec<Cow<[u8]>> = new[head..new.len() - tail].iter().map(|line| margins.convert(line)).collect();
        let remove = old.len() - head - tail;
        if remove > 0 || !add.is_empty() {
            edits.push(Edit { at: first, remove, add });
        }
        at += old.len();
    }
    let converted = margins != Margins::Kept;
    (edits, converted)
}

fn is_context(line: &Line) -> bool {
    matches!(line, Line::Context(_))
}

/// How the file writes margins where the patch writes them otherwise throughout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Margins {
    Kept,
    Tabs { width: usize },
    Blanks { width: usize },
}

impl Margins {
    fn of(text: &Text, hunk: &Hunk, start: usize) -> Self {
        let tabbed = |line: &[u8]| margin(line).contains(&b'\t');
        let pairs: Vec<(&[u8], &[u8])> = (hunk.lines.iter().filter(|line| line.is_old()))
            .zip(text.rows.iter().skip(start))
            .filter(|(line, _)| !trim(line.bytes()).is_empty())
            .map(|(line, row)| (margin(row.text), margin(line.bytes())))
            .filter(|(row, line)| !row.is_empty() || !line.is_empty())
            .collect();
        let widths = pairs.iter().fold(u8::MAX, |widths, (row, line)| widths & tab_widths(row, line));
        let width = widths.trailing_zeros() as usize + 1;
        // One margin that agrees, and the added lines may well be meant as they are.
        if pairs.is_empty() || widths == 0 || pairs.iter().any(|(row, line)| row == line) {
            Margins::Kept
        } else if hunk.lines.iter().all(|line| !tabbed(line.bytes())) {
            Margins::Tabs { width }
        } else if pairs.iter().all(|(row, _)| !row.contains(&b'\t')) {
            Margins::Blanks { width }
        } else {
            Margins::Kept
        }
    }

    fn convert(self, line: &[u8]) -> Cow<'_, [u8]> {
        let own = margin(line);
        let (tabs, blanks) = match self {
            Margins::Kept => return Cow::Borrowed(line),
            Margins::Tabs { width } => (columns(own, width) / width, columns(own, width) % width),
            Margins::Blanks { width } => (0, columns(own, width)),
        };
        let mut converted = vec![b'\t'; tabs];
        converted.resize(tabs + blanks, b' ');
        converted.extend_from_slice(&line[own.len()..]);
        Cow::Owned(converted)
    }
}

/// How the text shall end after a hunk that reaches its last row. A marker counts when the two sides differ in it; a
/// patch that has none did not look, unless it removes the last line only to add it again: that can only mean the newline.
pub(super) fn finish(text: &Text, hunk: &Hunk) -> Finish {
    let last = |old: bool| hunk.lines.iter().rev().find(|line| if old { line.is_old() } else { line.is_new() });
    let rewritten = match (last(true), last(false)) {
        (Some(Line::Remove(old)), Some(Line::Add(new))) => old == new,
        _ => false,
    };
    match (hunk.old_no_newline, hunk.new_no_newline) {
        (false, true) => Finish::NoNewline,
        (true, false) => Finish::Newline,
        (true, true) if text.ends_with_newline() => Finish::Newline,
        (true, true) => Finish::NoNewline,
        (false, false) if rewritten => Finish::Newline,
        (false, false) => Finish::AsBefore,
    }
}

/// Whether the hunk, standing at `start`, knows the file's carriage returns.
pub(super) fn is_faithful(text: &Text, hunk: &Hunk, start: usize) -> bool {
    let agrees = |(line, row): (&Line, &Row)| {
        row.ending == Ending::None || (without_cr(line.bytes()) != line.bytes()) == (row.ending == Ending::CrLf)
    };
    hunk.lines.iter().filter(|line| line.is_old()).zip(text.rows.iter().skip(start)).all(agrees)
}
