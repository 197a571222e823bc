//! Choose one position for each hunk of a file, or none: never the first, the nearest or the likeliest.
//!
//! `locate` says where a hunk's lines stand equally well. What else the patch says is evidence, and a position counts only when
//! nothing that is known names another:
//!
//! - **Headings** (`locate/heading.rs`) leave the positions in the scope that they name.
//! - **Equal hunks** (`repeats.rs`) are one, or as many as there are places.
//! - **Order** (`order.rs`). A diff lists its hunks from top to bottom. Of the positions that the headings leave, only those count
//!   that keep the hunks apart and in order. Line numbers that go up and down, or a format without order, take this away. Where
//!   headings and order contradict each other, neither decides.
//! - **The line number** (`number.rs`), when the hunk matches exactly there. A stale number that happens to name a twin cannot
//!   be told from a true one, so it must not contradict anything else that is known: the headings, or the hunks of the same
//!   file that match in one position only. These show how far the file has moved under the numbers; then the number counts
//!   with that distance added, and no twin may be within that distance of it.
//!
//! The only position is checked too (`contradiction.rs`): a number or a heading may name a place where the hunk nearly fits.

mod contradiction;
mod number;
mod order;
mod repeats;

use std::rc::Rc;

use super::locate::{Heading, LocatedHunk, Locator, ambiguous, disordered};
use super::misfit::{HunkMisfit, MisfitKind};
use number::Drift;

/// What becomes of a hunk.
pub enum HunkDecision {
    /// It starts at this line, from 0.
    At(usize),
    /// An earlier hunk says the same.
    Repeat,
    Misfit(HunkMisfit),
}

/// What speaks for the places of one hunk.
struct LocationEvidence<'e> {
    heading: &'e Heading,
    /// The starts that the heading leaves.
    headed: &'e [usize],
    /// Of these, the ones that the order leaves.
    ordered: &'e [usize],
    /// The order of the hunks contradicts their headings.
    is_disordered: bool,
    by_number: Option<usize>,
}

pub fn resolve(locator: &Locator, hunks: &[LocatedHunk]) -> Vec<HunkDecision> {
    let watch = locator.context.watch;
    let headings: Vec<Heading> =
        hunks.iter().inspect(|_| watch.visit()).map(|hunk| locator.heading(hunk.hunk)).collect();
    let mut open: Vec<Rc<[usize]>> =
        hunks.iter().zip(&headings).map(|(hunk, heading)| heading.narrow(&hunk.standing.starts)).collect();
    let is_repeat = repeats::find_repeats(hunks, &mut open);
    let kept: Vec<usize> = (0..hunks.len()).filter(|at| !is_repeat[*at]).collect();
    let has_order = locator.context.is_ordered && order::numbers_ascend(hunks);
    let in_order = has_order.then(|| {
        let hunks: Vec<&LocatedHunk> = kept.iter().map(|at| &hunks[*at]).collect();
        let open: Vec<Rc<[usize]>> = kept.iter().map(|at| Rc::clone(&open[*at])).collect();
        order::in_order(&hunks, &open)
    });
    let is_disordered = matches!(in_order, Some(None));
    let mut ranges: Vec<_> = open.iter().map(|starts| 0..starts.len()).collect();
    kept.iter().zip(in_order.flatten().into_iter().flatten()).for_each(|(at, range)| ranges[*at] = range);

    let decide = |at: usize, drift: Drift| {
        watch.checkpoint();
        if is_repeat[at] {
            return HunkDecision::Repeat;
        }
        let hunk = &hunks[at];
        let evidence = LocationEvidence {
            heading: &headings[at],
            headed: &open[at],
            ordered: &open[at][ranges[at].clone()],
            is_disordered,
            by_number: number::position(hunk, drift),
        };
        match evidence.choose(hunk) {
            Some(start) => match contradiction::find(locator, hunk, &evidence, start) {
                None => HunkDecision::At(start),
                Some(misfit) => HunkDecision::Misfit(misfit),
            },
            None => {
                let message = match evidence.ordered {
                    [start] if is_disordered && evidence.is_headed(hunk) => disordered(*start),
                    _ => ambiguous(&hunk.standing.starts),
                };
                HunkDecision::Misfit(HunkMisfit::new(hunk.number, MisfitKind::Ambiguous, message))
            }
        }
    };
    number::drifts(hunks).into_iter().enumerate().map(|(at, drift)| decide(at, drift)).collect()
}

impl LocationEvidence<'_> {
    fn is_headed(&self, hunk: &LocatedHunk) -> bool {
        self.headed.len() < hunk.standing.starts.len()
    }

    fn choose(&self, hunk: &LocatedHunk) -> Option<usize> {
        // Only its number places an insertion without context.
        if !hunk.has_old_lines() && hunk.claimed.is_some() && self.by_number != hunk.only_start() {
            return None;
        }
        match (self.ordered, self.by_number) {
            ([only], Some(numbered)) => (*only == numbered).then_some(numbered),
            // A heading does not overrule a number that names another twin, or the order of the hunks.
            ([_], None) if self.is_headed(hunk) && (names_a_start(hunk) || self.is_disordered) => None,
            ([only], None) => Some(*only),
            (several, Some(numbered)) => several.contains(&numbered).then_some(numbered),
            (_, None) => None,
        }
    }
}

/// Whether the number names a position of the hunk.
fn names_a_start(hunk: &LocatedHunk) -> bool {
    hunk.claimed.is_some_and(|claimed| hunk.standing.starts.binary_search(&claimed).is_ok())
}
