//! A whole file with marks for lines that stay, filled with these lines of the file: `// ... existing code ...` between lines that it has.
//!
//! What a mark stands for is certain only where the lines right above and right below it are the file's own, each once, and in the
//! file's order: beside a new line nothing says where the lines that stay begin.

use std::ops::Range;

use super::is_text;
use crate::apply::text::has_substance;

/// Lines beside a mark that are looked at to find the only place in the file.
const REACH: usize = 5;

/// The whole text. `marks`: the lines of `new` that stand for others, in ascending order. None where a mark is not between lines of the
/// file, or stands for nothing.
pub(super) fn filled<'t>(new: &[&'t [u8]], old: &[&'t [u8]], marks: &[usize]) -> Option<Vec<&'t [u8]>> {
    let mut text: Vec<&[u8]> = Vec::with_capacity(old.len() + new.len());
    // The lines of the file up to here are in the text, as they were or as they are now.
    let mut done = 0;
    let mut from = 0;
    for at in marks.iter().copied().chain([new.len()]) {
        let (is_below_mark, is_above_mark) = (from > 0, at < new.len());
        let part = without_blank_edges(&new[from..at], is_below_mark, is_above_mark);
        from = at + 1;
        if part.is_empty() {
            continue;
        }
        if is_below_mark {
            let begin = only_place(old, part, |length| &part[..length])?.start;
            text.extend_from_slice(stay(old, done..begin)?);
            done = begin;
        }
        text.extend_from_slice(part);
        let end =
            if is_above_mark { only_place(old, part, |length| &part[part.len() - length..])?.end } else { old.len() };
        done = Some(end).filter(|end| *end > done)?;
    }
    let ends_with_mark = marks.last().is_some_and(|last| !new[last + 1..].iter().any(is_text));
    if ends_with_mark {
        text.extend_from_slice(stay(old, done..old.len())?);
    }
    Some(text)
}

/// The lines that a mark stands for. Between two parts it stands for one line at least.
fn stay<'o, 't>(old: &'o [&'t [u8]], range: Range<usize>) -> Option<&'o [&'t [u8]]> {
    let is_edge = range.start == 0 || range.end == old.len();
    old.get(range).filter(|lines| is_edge || lines.iter().any(is_text))
}

/// The part without blank lines beside a mark: the file's own are among the lines that stay.
fn without_blank_edges<'p, 't>(part: &'p [&'t [u8]], is_below_mark: bool, is_above_mark: bool) -> &'p [&'t [u8]] {
    let Some(first) = part.iter().position(is_text) else { return &[] };
    let last = part.iter().rposition(is_text).map_or(part.len(), |last| last + 1);
    &part[if is_below_mark { first } else { 0 }..if is_above_mark { last } else { part.len() }]
}

/// Where the file has the fewest lines of an edge of the part that stand there once only.
fn only_place<'p, 't: 'p>(
    old: &[&'t [u8]],
    part: &'p [&'t [u8]],
    edge: impl Fn(usize) -> &'p [&'t [u8]],
) -> Option<Range<usize>> {
    for length in 1..=REACH.min(part.len()) {
        let lines = edge(length);
        let mut places = old.windows(length).enumerate().filter(|(_, there)| *there == lines).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(only), None) if lines.iter().any(|line| has_substance(line)) => return Some(only..only + length),
            (None, _) => return None,
            (Some(_), _) => {}
        }
    }
    None
}
