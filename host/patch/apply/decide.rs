//! Choose one place for each hunk of a file, or none: never the first, the nearest or the likeliest.
//!
//! What can decide, when a hunk fits in several places equally well:
//!
//! - **Order.** A diff names its hunks from top to bottom. Where only one place is left that keeps them apart and in order,
//!   that is the place. Line numbers that go up and down, or a format without order, take this away.
//! - **Anchors**: see `anchor.rs`.
//! - **The line number**, when the hunk fits exactly there. A stale number that happens to land on a twin cannot be told
//!   from a true one, so it must not contradict anything else that is known: the anchors, or the hunks of the same file
//!   that fit in one place only. These show how far the file has moved under the numbers; then the number counts with
//!   that distance added, and no twin may stand within that distance of it.
//!
//! A hunk with a misquoted line must fit in one place alone.

use super::anchor;
use super::lines::Text;
use super::search::{Fit, Place};
use guardhost_core::change::Hunk;

/// A hunk and where it fits.
pub(super) struct Quarry<'h> {
    /// Number in the file's patch, from 1.
    pub number: usize,
    pub hunk: &'h Hunk,
    /// Where the header says that it starts, from 0.
    pub claimed: Option<usize>,
    /// Offsets of the first changed old line and one past the last.
    pub core: (usize, usize),
    /// The places with the best fit, in order; never empty.
    pub places: Vec<Place>,
    /// The places that fit less well.
    pub weaker: Vec<Place>,
}

impl Quarry<'_> {
    fn only(&self) -> Option<Place> {
        match self.places[..] {
            [place] => Some(place),
            _ => None,
        }
    }

    /// How far below its number the hunk stands, when both are sure.
    fn drift(&self) -> Option<isize> {
        Some(self.only()?.start as isize - self.claimed? as isize)
    }
}

/// The place of each quarry, or None where nothing decides.
pub(super) fn decide(text: &Text, quarries: &[Quarry], ordered: bool) -> Vec<Option<Place>> {
    let mut open: Vec<Vec<Place>> = quarries.iter().map(|quarry| quarry.places.clone()).collect();
    if ordered && numbers_ascend(quarries) {
        keep_in_order(quarries, &mut open);
    }
    let before = drifts(quarries.iter());
    let mut after = drifts(quarries.iter().rev());
    after.reverse();
    (quarries.iter().zip(open).zip(before.into_iter().zip(after)))
        .map(|((quarry, places), drifts)| choose(text, quarry, &places, drifts))
        .collect()
}

fn choose(text: &Text, quarry: &Quarry, places: &[Place], drifts: (Option<isize>, Option<isize>)) -> Option<Place> {
    let numbered = by_number(quarry, drifts);
    if quarry.hunk.lines.iter().all(|line| !line.is_old()) && numbered != quarry.only() && quarry.claimed.is_some() {
        return None;
    }
    if let [place] = *places {
        // A number that points elsewhere, to a place that fits too or fits but for white space, is evidence against it.
        let weaker = |place: &Place| Some(place.start) == quarry.claimed && place.fit < Fit::Misquoted;
        let contradicted = numbered.is_some_and(|other| other != place) || quarry.weaker.iter().any(weaker);
        return (!contradicted).then_some(place);
    }
    if places.iter().any(|place| place.fit == Fit::Misquoted) {
        return None;
    }
    let supported = anchor::supported(text, quarry.hunk, places);
    match (supported.as_slice(), numbered) {
        // Where the number names another twin the anchor does not overrule it.
        ([place], None) if quarry.places.iter().all(|other| Some(other.start) != quarry.claimed) => Some(*place),
        (supported, Some(place)) if supported.contains(&place) => Some(place),
        _ => None,
    }
}

fn by_number(quarry: &Quarry, (before, after): (Option<isize>, Option<isize>)) -> Option<Place> {
    let claimed = quarry.claimed? as isize;
    let mut expected: Vec<isize> = [before, after].iter().flatten().map(|drift| claimed + drift).collect();
    if expected.is_empty() {
        expected.push(claimed);
    }
    let slack = [before, after].iter().flatten().map(|drift| drift.unsigned_abs()).max().unwrap_or(0);
    let in_reach = |place: &&Place| expected.iter().any(|line| line.abs_diff(place.start as isize) <= slack);
    let mut near = quarry.places.iter().filter(in_reach);
    let place = *near.next()?;
    (near.next().is_none() && expected.contains(&(place.start as isize))).then_some(place)
}

/// For each quarry the drift of the nearest earlier one that is sure.
fn drifts<'q, 'h: 'q>(quarries: impl Iterator<Item = &'q Quarry<'h>>) -> Vec<Option<isize>> {
    let mut last = None;
    quarries
        .map(|quarry| {
            let seen = last;
            last = quarry.drift().or(last);
            seen
        })
        .collect()
}

fn numbers_ascend(quarries: &[Quarry]) -> bool {
    quarries.iter().filter_map(|quarry| quarry.claimed).is_sorted_by(|a, b| a < b)
}

/// Drop the places that no assignment in order can use. Leaves all as they are when there is no such assignment.
fn keep_in_order(quarries: &[Quarry], open: &mut [Vec<Place>]) {
    let mut kept = open.to_vec();
    let mut floor = 0;
    for (quarry, places) in quarries.iter().zip(&mut kept) {
        places.retain(|place| place.start + quarry.core.0 >= floor);
        let Some(first) = places.first() else { return };
        floor = first.start + quarry.core.1;
    }
    let mut ceiling = usize::MAX;
    for (quarry, places) in quarries.iter().zip(&mut kept).rev() {
        places.retain(|place| place.start + quarry.core.1 <= ceiling);
        let Some(last) = places.last() else { return };
        ceiling = last.start + quarry.core.0;
    }
    open.clone_from_slice(&kept);
}
