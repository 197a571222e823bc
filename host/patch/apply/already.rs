//! Whether a file holds already what a hunk brings. Models send the same patch twice, and a second copy of an insertion, or
//! a twin changed in place of the one that is done, is a guess as bad as any.

use super::lines::{has_substance, trim_end};
use super::search::{Exhausted, Fit, Index, Place, Side};
use guardhost_core::change::{Hunk, Line};

pub(super) enum Already {
    No,
    /// The new lines stand from this index on.
    At(usize),
    /// They stand there, and the old lines stand elsewhere: either may be meant.
    Unclear(usize),
}

/// `places`: where the old lines fit. `named`: where the new lines would begin by the header's number; the first of them
/// is where the old ones would.
pub(super) fn already(index: &Index, hunk: &Hunk, places: &[Place], named: &[usize]) -> Result<Already, Exhausted> {
    let (old, new) = (Side::old(hunk), Side::new(hunk));
    // A change of blanks at line ends finds its old lines wherever its new ones stand, and may be made again.
    if old.bytes().map(trim_end).eq(new.bytes().map(trim_end)) {
        return Ok(Already::No);
    }
    let stands_as_named = || named.iter().copied().find(|start| index.stands_at(&new, *start, Fit::Trailing));
    let verbatim = places.iter().any(|place| place.fit <= Fit::Trailing);
    let sure = |place: &&Place| place.fit < Fit::Misquoted && named.contains(&place.start);
    if let Some(place) = places.iter().find(sure) {
        return Ok(inserted(index, hunk, &new, place).map_or(Already::No, Already::At));
    }
    if let Some(start) = stands_as_named()
        && proof(hunk, start == 0, index.ends_at(start + new.len())) >= if verbatim { 2 } else { 1 }
    {
        return Ok(Already::At(start));
    }
    // Without a number, one more brace among braces proves nothing.
    let adds = hunk.lines.iter().any(|line| matches!(line, Line::Add(_)));
    if proof(hunk, false, false) < 2 || adds && !brings_substance(hunk) || holds(&old, &new) {
        return Ok(Already::No);
    }
    let mut stands = index.places(&new, None)?;
    if verbatim {
        stands.retain(|place| place.fit <= Fit::Trailing);
    }
    let reach = old.len().max(new.len());
    let apart = |a: &Place, b: &Place| a.start.abs_diff(b.start) >= reach;
    let Some(first) = stands.first() else { return Ok(Already::No) };
    if places.is_empty() {
        // Where the old lines nearly stand, the hunk may have been meant for that place.
        let meant_elsewhere = index.near(&old)?.iter().any(|near| apart(near, first));
        return Ok(if stands.len() == 1 && !meant_elsewhere { Already::At(first.start) } else { Already::No });
    }
    // After an insertion the old lines may still be found, in part among the inserted ones; after a removal they may not.
    let only_inserts = !hunk.lines.iter().any(|line| matches!(line, Line::Remove(_)));
    let overlap = stands.iter().find(|stand| places.iter().any(|place| !apart(place, stand)));
    Ok(match overlap {
        Some(stand) if only_inserts => Already::At(stand.start),
        _ => Already::Unclear(first.start),
    })
}

/// Whether the new lines are among the old ones, so that a file has them before the change too: what is removed ends as the
/// lines above it do.
fn holds(old: &Side, new: &Side) -> bool {
    let old: Vec<&[u8]> = old.bytes().map(trim_end).collect();
    let new: Vec<&[u8]> = new.bytes().map(trim_end).collect();
    !new.is_empty() && old.windows(new.len()).any(|window| window == new)
}

/// The old lines of an insertion stand together again after it was made when it begins as the lines below it do, or lies at
/// an edge of the hunk. Nobody inserts twice in a row what says something.
fn inserted(index: &Index, hunk: &Hunk, new: &Side, place: &Place) -> Option<usize> {
    let only_inserts = !hunk.lines.iter().any(|line| matches!(line, Line::Remove(_)));
    let above = hunk.lines.iter().take_while(|line| matches!(line, Line::Add(_))).count();
    let start = place.start.checked_sub(above)?;
    (only_inserts && brings_substance(hunk) && index.stands_at(new, start, place.fit)).then_some(start)
}

/// What finding the new side proves. It holds a line that says something and is new: 2, enough. Else it only has no gap, or
/// no more, where the old side has other lines: as much as the lines around say. `at_start`, `at_end`: the file has
/// nothing above or below it.
fn proof(hunk: &Hunk, at_start: bool, at_end: bool) -> usize {
    let is_context = |line: Option<&Line>| matches!(line, Some(Line::Context(_)));
    if brings_substance(hunk) {
        2
    } else if (at_start || is_context(hunk.lines.first())) && (at_end || is_context(hunk.lines.last())) {
        hunk.lines.iter().filter(|line| line.is_new() && has_substance(line.bytes())).count().min(2)
    } else {
        0
    }
}

fn brings_substance(hunk: &Hunk) -> bool {
    hunk.lines.iter().any(|line| {
        matches!(line, Line::Add(_))
            && has_substance(line.bytes())
            && !hunk.lines.iter().any(|other| other.is_old() && other.bytes() == line.bytes())
    })
}
