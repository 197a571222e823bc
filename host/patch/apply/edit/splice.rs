//! Write the new text: removed lines are left out, added lines are put in, every other byte stays as it is.

use std::borrow::Cow;

use crate::apply::text::{Ending, Row, Text, without_cr};

/// Rows `at..at + remove` become `add`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice<'h> {
    pub at: usize,
    pub remove: usize,
    pub add: Vec<Cow<'h, [u8]>>,
}

/// How the new text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// A line that replaces the last one ends as that did; a line added below it ends with a newline, as people expect.
    AsBefore,
    Newline,
    NoNewline,
}

/// Where the endings of added lines come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Endings {
    /// From the lines around them: of the line they replace, else of the one above, else of the file.
    Neighbours,
    /// From the patch, which has carriage returns.
    Patch,
}

/// The new text, and whether endings of added lines were changed. `edits` are sorted and apart. `keeps_endings`: the patch's
/// carriage returns agree with the file's; then its added lines keep theirs, unless that would mix the file's endings more.
pub(super) fn splice(text: &Text, edits: &[Splice], finish: Finish, keeps_endings: bool) -> (Vec<u8>, bool) {
    let by_neighbours = write_with(text, edits, finish, Endings::Neighbours);
    let by_patch = write_with(text, edits, finish, Endings::Patch);
    if by_patch == by_neighbours {
        return (by_neighbours, false);
    }
    if keeps_endings && Text::new(&by_patch).mixture() <= text.mixture() {
        return (by_patch, false);
    }
    (by_neighbours, true)
}

fn write_with(text: &Text, edits: &[Splice], finish: Finish, endings: Endings) -> Vec<u8> {
    let mut rows: Vec<Row> = Vec::with_capacity(text.len());
    let mut next = 0;
    let mut grown = false;
    for edit in edits {
        rows.extend(&text.rows[next..edit.at]);
        let replaced = &text.rows[edit.at..edit.at + edit.remove];
        let below = text.rows.get(edit.at + edit.remove);
        for (nth, line) in edit.add.iter().enumerate() {
            let own = if line.ends_with(b"\r") { Ending::CrLf } else { Ending::Lf };
            let above = rows.last();
            let real = |row: Option<&Row>| row.map(|row| row.ending).filter(|ending| *ending != Ending::None);
            let ending = match endings {
                Endings::Patch => own,
                Endings::Neighbours => {
                    real(replaced.get(nth)).or(real(above)).or(real(below)).unwrap_or_else(|| text.ending())
                }
            };
            rows.push(Row { text: without_cr(line), ending });
        }
        next = edit.at + edit.remove;
        if next == text.len() {
            let replaces_last = edit.remove > 0 && !edit.add.is_empty();
            grown = !replaces_last && !edit.add.is_empty();
            if replaces_last
                && finish == Finish::AsBefore
                && !text.ends_with_newline()
                && let Some(last) = rows.last_mut()
            {
                last.ending = Ending::None;
            }
        }
    }
    rows.extend(&text.rows[next..]);
    let finish = if grown && finish == Finish::AsBefore { Finish::Newline } else { finish };
    join(&rows, text.ending(), finish)
}

fn join(rows: &[Row], usual: Ending, finish: Finish) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.iter().map(|row| row.text.len() + 2).sum());
    for (at, row) in rows.iter().enumerate() {
        bytes.extend_from_slice(row.text);
        let some = if row.ending == Ending::None { usual } else { row.ending };
        let ending = match finish {
            _ if at + 1 < rows.len() => some,
            Finish::AsBefore => row.ending,
            Finish::Newline => some,
            Finish::NoNewline => Ending::None,
        };
        bytes.extend_from_slice(ending.bytes());
    }
    bytes
}
