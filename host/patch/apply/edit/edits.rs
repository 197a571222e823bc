//! A placed hunk as edits of rows, and what it means for the file's end.

use std::borrow::Cow;

use super::margins::Margins;
use super::splice::{Finish, Splice};
use crate::apply::locate::MatchQuality;
use crate::apply::text::{Ending, Row, Text, trim_end, without_cr};
use guardhost_core::change::{Hunk, Line};

/// The edits of a hunk that is placed at row `start`, and whether the margins of added lines were converted. Lines that it
/// removes and adds again unchanged stay as the file has them, unless the file has other blanks at their ends: these are then
/// what the hunk changes.
pub(super) fn edits<'h>(
    text: &Text<'h>,
    hunk: &'h Hunk,
    start: usize,
    quality: MatchQuality,
) -> (Vec<Splice<'h>>, bool) {
    let margins = Margins::new(text, hunk, start, quality);
    let mut edits = Vec::new();
    let mut at = start;
    for chunk in hunk.lines.chunk_by(|a, b| is_context(a) == is_context(b)) {
        let old: Vec<&[u8]> = chunk.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
        if is_context(&chunk[0]) {
            at += old.len();
            continue;
        }
        let new: Vec<&[u8]> = chunk.iter().filter(|line| line.is_new()).map(Line::bytes).collect();
        let is_kept = |nth: usize, new: &[u8]| old[nth] == new && ends_as(text, at + nth, new);
        let head = (0..old.len().min(new.len())).take_while(|nth| is_kept(*nth, new[*nth])).count();
        let rest = (old.len() - head).min(new.len() - head);
        let tail = (1..=rest).take_while(|nth| is_kept(old.len() - nth, new[new.len() - nth])).count();
        // A misquoted last line may lie beyond the file's end, and what comes after it too.
        let first = (at + head).min(text.len());
        let add: Vec<Cow<[u8]>> = new[head..new.len() - tail].iter().map(|line| margins.convert(line)).collect();
        let remove = old.len() - head - tail;
        if remove > 0 || !add.is_empty() {
            edits.push(Splice { at: first, remove, add });
        }
        at += old.len();
    }
    let converted = margins != Margins::Kept;
    (edits, converted)
}

/// Whether the row has the blanks at its end that the line has.
fn ends_as(text: &Text, row: usize, line: &[u8]) -> bool {
    let ending = |line: &'_ [u8]| line.len() - trim_end(line).len();
    text.rows.get(row).is_none_or(|row| ending(row.text) == ending(without_cr(line)))
}

fn is_context(line: &Line) -> bool {
    matches!(line, Line::Context(_))
}

/// How the text ends after a hunk that reaches its last row. `\ No newline` markers count when the two sides differ in them.
/// Without markers the file's end is kept, unless the hunk removes the last line and adds it again: that can only mean the
/// newline.
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

/// Whether the hunk, placed at `start`, has carriage returns where the file has them.
pub(super) fn agrees_on_endings(text: &Text, hunk: &Hunk, start: usize) -> bool {
    let agrees = |(line, row): (&Line, &Row)| {
        row.ending == Ending::None || (without_cr(line.bytes()) != line.bytes()) == (row.ending == Ending::CrLf)
    };
    hunk.lines.iter().filter(|line| line.is_old()).zip(text.rows.iter().skip(start)).all(agrees)
}
