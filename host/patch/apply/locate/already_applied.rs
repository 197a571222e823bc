//! Whether a file already holds what a hunk adds. Models send the same patch twice; a second copy of an insertion, or a
//! change of a twin of the place that is already changed, would be a wrong guess.

use super::SearchBudgetExceeded;
use super::index::LineIndex;
use super::needle::Needle;
use super::quality::MatchQuality;
use super::search::Position;
use crate::apply::text::{has_substance, trim_end};
use guardhost_core::change::{Hunk, Line};

pub(super) enum Applied {
    No,
    /// The new lines are in the file, from this index on.
    At(usize),
    /// They are there, and the old lines are elsewhere: either place may be meant.
    Unclear(usize),
}

/// `positions`: where the old lines match. `numbered`: where the new lines would begin by the header's number; the first of
/// them is where the old ones would.
pub(super) fn detect_applied(
    index: &LineIndex,
    hunk: &Hunk,
    positions: &[Position],
    numbered: &[usize],
) -> Result<Applied, SearchBudgetExceeded> {
    let (old, new) = (Needle::old(hunk), Needle::new(hunk));
    // A change of white space at line ends finds its old lines wherever its new ones are, and may be made again.
    if old.bytes().map(trim_end).eq(new.bytes().map(trim_end)) {
        return Ok(Applied::No);
    }
    // The old lines match where the number says: only an insertion could still be there already.
    let numbered_match = positions
        .iter()
        .find(|position| position.quality < MatchQuality::Misquoted && numbered.contains(&position.start));
    if let Some(position) = numbered_match {
        return Ok(insertion_above(index, hunk, &new, position).map_or(Applied::No, Applied::At));
    }
    let old_is_verbatim = positions.iter().any(|position| position.quality <= MatchQuality::TrailingSpace);
    let new_at_number =
        numbered.iter().copied().find(|start| index.matches_at(&new, *start, MatchQuality::TrailingSpace));
    if let Some(start) = new_at_number {
        let needed = if old_is_verbatim { Evidence::Strong } else { Evidence::Weak };
        if evidence(hunk, start == 0, start + new.len() == index.text.len()) >= needed {
            return Ok(Applied::At(start));
        }
    }
    anywhere(index, hunk, positions, old_is_verbatim)
}

/// Without a number that helps. One more brace among braces proves nothing, so the hunk must add text of substance.
fn anywhere(
    index: &LineIndex,
    hunk: &Hunk,
    positions: &[Position],
    old_is_verbatim: bool,
) -> Result<Applied, SearchBudgetExceeded> {
    let (old, new) = (Needle::old(hunk), Needle::new(hunk));
    let adds = hunk.lines.iter().any(|line| matches!(line, Line::Add(_)));
    let proven = evidence(hunk, false, false) == Evidence::Strong && (!adds || adds_substance(hunk));
    if !proven || old_contains_new(&old, &new) {
        return Ok(Applied::No);
    }
    let mut found = index.positions(&new, None)?;
    if old_is_verbatim {
        found.retain(|position| position.quality <= MatchQuality::TrailingSpace);
    }
    let Some(first) = found.first() else { return Ok(Applied::No) };
    let reach = old.len().max(new.len());
    let are_apart = |a: &Position, b: &Position| a.start.abs_diff(b.start) >= reach;
    if positions.is_empty() {
        // Where the old lines match but for one, the hunk may have been meant for that place.
        let meant_elsewhere = index.near_misses(&old)?.iter().any(|near| are_apart(near, first));
        return Ok(if found.len() == 1 && !meant_elsewhere { Applied::At(first.start) } else { Applied::No });
    }
    // After an insertion the old lines may still match, in part among the inserted ones; after a removal they may not.
    let overlap = found.iter().find(|new| positions.iter().any(|old| !are_apart(old, new)));
    Ok(match overlap {
        Some(position) if only_inserts(hunk) => Applied::At(position.start),
        _ => Applied::Unclear(first.start),
    })
}

/// Whether the new lines are among the old ones, so that a file has them before the change too: what is removed ends as the
/// lines above it do.
fn old_contains_new(old: &Needle, new: &Needle) -> bool {
    let old: Vec<&[u8]> = old.bytes().map(trim_end).collect();
    let new: Vec<&[u8]> = new.bytes().map(trim_end).collect();
    !new.is_empty() && old.windows(new.len()).any(|window| window == new)
}

/// Where the new lines begin if the insertion was made already and its old lines match again below it: it begins as the lines
/// below it do, or lies at an edge of the hunk. Text of substance is not inserted twice in a row.
fn insertion_above(index: &LineIndex, hunk: &Hunk, new: &Needle, position: &Position) -> Option<usize> {
    let above = hunk.lines.iter().take_while(|line| matches!(line, Line::Add(_))).count();
    let start = position.start.checked_sub(above)?;
    let is_there = only_inserts(hunk) && adds_substance(hunk) && index.matches_at(new, start, position.quality);
    is_there.then_some(start)
}

/// What it proves that the new lines are found.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    Absent,
    /// The removed lines are missing between their neighbours, and one line of substance is around.
    Weak,
    /// An added line has substance, or two lines around the gap have.
    Strong,
}

/// `at_start`, `at_end`: the file has nothing above or below the new lines.
fn evidence(hunk: &Hunk, at_start: bool, at_end: bool) -> Evidence {
    let is_context = |line: Option<&Line>| matches!(line, Some(Line::Context(_)));
    if adds_substance(hunk) {
        return Evidence::Strong;
    }
    let has_neighbours = (at_start || is_context(hunk.lines.first())) && (at_end || is_context(hunk.lines.last()));
    let substance = || hunk.lines.iter().filter(|line| line.is_new() && has_substance(line.bytes())).count();
    match has_neighbours.then(substance) {
        None | Some(0) => Evidence::Absent,
        Some(1) => Evidence::Weak,
        Some(_) => Evidence::Strong,
    }
}

fn only_inserts(hunk: &Hunk) -> bool {
    !hunk.lines.iter().any(|line| matches!(line, Line::Remove(_)))
}

/// Whether an added line has substance and is none of the old lines.
fn adds_substance(hunk: &Hunk) -> bool {
    hunk.lines.iter().any(|line| {
        matches!(line, Line::Add(_))
            && has_substance(line.bytes())
            && !hunk.lines.iter().any(|other| other.is_old() && other.bytes() == line.bytes())
    })
}
