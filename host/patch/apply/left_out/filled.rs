//! A whole file with marks for lines that stay, filled with these lines of the file: `// ... existing code ...` between lines that it has.
//!
//! What a mark stands for is certain only where the lines right above and right below it are the file's own, each once, and in the
//! file's order: beside a new line nothing says where the lines that stay begin.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{is_text, known};
use crate::apply::text::has_substance;
use crate::definition::{NamedDefinition, is_closing};

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
        let first = |length| &part[..length];
        let last = |length: usize| &part[part.len() - length..];
        let begin = match is_below_mark {
            true => only_place(old, part, first)?.start,
            false => edge(only_place(old, part, first).map(|place| &old[..place.start]))?,
        };
        text.extend_from_slice(stay(old, done..begin)?);
        done = begin;
        text.extend_from_slice(part);
        let end = match is_above_mark {
            true => only_place(old, part, last)?.end,
            false => old.len() - edge(only_place(old, part, last).map(|place| &old[place.end..]))?,
        };
        let there = old.get(done..end)?;
        let is_kept = keeps(part, there, FEW.max(there.len() / 4));
        done = Some(end).filter(|end| *end > done && is_kept)?;
        if !is_above_mark {
            text.extend_from_slice(&old[done..]);
        }
    }
    let ends_with_mark = marks.last().is_some_and(|last| !new[last + 1..].iter().any(is_text));
    if ends_with_mark {
        text.extend_from_slice(stay(old, done..old.len())?);
    }
    Some(text)
}

/// How many lines of the file, at its beginning or its end, stay beside a text without a mark there. `rest`: the lines beyond the only place
/// of the text's own edge. So many are not taken away by leaving them out; and fewer may be meant to go.
fn edge(rest: Option<&[&[u8]]>) -> Option<usize> {
    const LEAST: usize = 8;
    let Some(rest) = rest else { return Some(0) };
    let texts = rest.iter().filter(|line| is_text(line)).count();
    (texts == 0 || texts >= LEAST).then_some(if texts == 0 { 0 } else { rest.len() })
}

/// Lines that a change takes away without others in their place, and a writer leaves out by no mistake.
const FEW: usize = 2;

/// Whether a part has the lines in whose place it stands, but for those that others replace and `lost_at_most`.
fn keeps(part: &[&[u8]], old: &[&[u8]], lost_at_most: usize) -> bool {
    let in_file = known(old);
    let is_new = |line: &&&[u8]| is_text(line) && !in_file.contains(line.trim_ascii());
    let new = part.iter().filter(is_new).count();
    let kept = known(part);
    let old: Vec<&[u8]> = old.iter().copied().filter(is_text).collect();
    let lost = old.iter().filter(|line| !kept.contains(line.trim_ascii())).count();
    lost <= new + lost_at_most
}

/// The whole text, where `new` is the lines of the file from one on to another, with changes between them: without marks, and neither
/// the beginning nor the end of the file. None where that is not certain.
pub(super) fn region<'t>(new: &[&'t [u8]], old: &[&'t [u8]]) -> Option<Vec<&'t [u8]>> {
    let part = without_blank_edges(new, true, true);
    let head = only_place(old, part, |length| &part[..length])?;
    let tail = only_place(old, part, |length| &part[part.len() - length..])?;
    let (begin, end) = (head.start, tail.end);
    let texts = |lines: &[&[u8]]| lines.iter().filter(|line| is_text(line)).count();
    // Of several lines it is the innermost that tells one place from others. A blank line or a bracket there proves nothing: where the
    // change begins, the line of the file is another one.
    let is_decided = has_substance(part[head.len() - 1]) && has_substance(part[part.len() - tail.len()]);
    // A text that begins where the file does may have been cut off.
    let is_inside = begin < end && edge(Some(&old[..begin])).is_some_and(|head| head > 0);
    let is_told = is_decided && is_inside && edge(Some(&old[end..])).is_some() && keeps(part, &old[begin..end], FEW);
    (is_told && texts(part) > 2 && is_least(part, old, begin..end)).then(|| [&old[..begin], part, &old[end..]].concat())
}

/// Other places of a part's first and last line that are compared. With more of them none is certain.
const OTHERS: usize = 32;

/// Lines of the file times lines of the part, beyond which two texts are not compared: a few milliseconds.
const COMPARED: usize = 1_000_000;

/// Whether the part takes away fewer lines of the file there than from any other place of its first line on, or up to any other place of its
/// last line: edges that are longer than a line may fit where the change is not.
fn is_least(part: &[&[u8]], old: &[&[u8]], place: Range<usize>) -> bool {
    let (Some(first), Some(last)) = (part.first(), part.last()) else { return false };
    let starts = (0..place.end).filter(|at| old[*at] == *first && *at != place.start).map(|at| at..place.end);
    let ends = (place.start..old.len()).filter(|at| old[*at] == *last && at + 1 != place.end);
    let others: Vec<_> = starts.chain(ends.map(|at| place.start..at + 1)).take(OTHERS + 1).collect();
    let lost = |lines: &Range<usize>| {
        let there = &old[lines.clone()];
        (there.len() * part.len() <= COMPARED).then(|| {
            let operations = capture_diff_slices(Algorithm::Myers, there, part);
            operations
                .iter()
                .filter(|step| step.tag() != DiffTag::Equal)
                .map(|step| step.old_range().len())
                .sum::<usize>()
        })
    };
    let own = lost(&place);
    others.len() <= OTHERS
        && own.is_some()
        && others.iter().all(|other| lost(other).is_some_and(|lost| Some(lost) > own))
}

/// The whole text, where `new` is one complete definition, and the file has one of that name: that has the new lines.
pub(super) fn redefined<'t>(new: &[&'t [u8]], old: &[&'t [u8]]) -> Option<Vec<&'t [u8]>> {
    let part = without_blank_edges(new, true, true);
    let new = NamedDefinition::in_text(part)?;
    let NamedDefinition { lines, marks, .. } = NamedDefinition::named(old, new.name)?;
    let texts = |lines: &[&[u8]]| lines.iter().filter(|line| is_text(line)).count();
    // A definition without the marks that the file has may be meant with them, and a short one may be a sketch.
    // What closes it stands where it begins, without a margin.
    let closing = |line: &&'t [u8]| is_closing(line) && !line.starts_with(b" ") && !line.starts_with(b"\t");
    let end = |lines: &[&'t [u8]]| lines.last().map(|line| line.trim_ascii_end()).filter(closing);
    let ends_alike = end(part) == end(&old[lines.clone()]);
    let is_whole = ends_alike && new.marks >= marks && texts(part) * 2 >= texts(&old[lines.clone()]);
    is_whole.then(|| [&old[..lines.start], part, &old[lines.end..]].concat())
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
    lines_of_edge: impl Fn(usize) -> &'p [&'t [u8]],
) -> Option<Range<usize>> {
    for length in 1..=REACH.min(part.len()) {
        let lines = lines_of_edge(length);
        let mut places = old.windows(length).enumerate().filter(|(_, there)| *there == lines).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(only), None) if lines.iter().any(|line| has_substance(line)) => return Some(only..only + length),
            (None, _) => return None,
            (Some(_), _) => {}
        }
    }
    None
}
