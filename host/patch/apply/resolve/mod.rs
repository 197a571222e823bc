//! Choose one position for each hunk of a file, or none: never the first, the nearest or the likeliest.
//!
//! What can decide when a hunk matches in several positions equally well:
//!
//! - **Order** (`order.rs`). A diff lists its hunks from top to bottom. Where only one position is left that keeps them apart
//!   and in order, it is chosen. Line numbers that go up and down, or a format without order, take this away.
//! - **Anchors** (`anchor.rs`).
//! - **The line number** (`number.rs`), when the hunk matches exactly there. A stale number that happens to name a twin cannot
//!   be told from a true one, so it must not contradict anything else that is known: the anchors, or the hunks of the same
//!   file that match in one position only. These show how far the file has moved under the numbers; then the number counts
//!   with that distance added, and no twin may be within that distance of it.
//!
//! A hunk with a misquoted line must match in one position only.

mod anchor;
mod number;
mod order;

use super::locate::{LocatedHunk, MatchQuality, Position};
use super::text::Text;
use number::Drift;

/// The position of each hunk, or None where nothing decides.
pub fn resolve_ambiguity(text: &Text, hunks: &[LocatedHunk], is_ordered: bool) -> Vec<Option<Position>> {
    let mut open: Vec<Vec<Position>> = hunks.iter().map(|hunk| hunk.positions.clone()).collect();
    if is_ordered && order::numbers_ascend(hunks) {
        order::drop_unordered(hunks, &mut open);
    }
    (hunks.iter().zip(open).zip(number::drifts(hunks)))
        .map(|((hunk, positions), drift)| choose(text, hunk, &positions, drift))
        .collect()
}

/// `open`: the hunk's positions that the order of the hunks allows.
fn choose(text: &Text, hunk: &LocatedHunk, open: &[Position], drift: Drift) -> Option<Position> {
    let by_number = number::position(hunk, drift);
    // Only its number places an insertion without context.
    if !hunk.has_old_lines() && hunk.claimed.is_some() && by_number != hunk.only_position() {
        return None;
    }
    if let [only] = *open {
        return (!is_contradicted(hunk, only, by_number)).then_some(only);
    }
    if open.iter().any(|position| position.quality == MatchQuality::Misquoted) {
        return None;
    }
    let anchored = anchor::supported(text, hunk.hunk, open);
    match by_number {
        Some(position) => anchored.contains(&position).then_some(position),
        None => match anchored[..] {
            // An anchor does not overrule a number that names another twin.
            [only] if !number_names_a_position(hunk) => Some(only),
            _ => None,
        },
    }
}

/// A number that points elsewhere, to a position that matches too or matches but for white space, is evidence against `only`.
fn is_contradicted(hunk: &LocatedHunk, only: Position, by_number: Option<Position>) -> bool {
    let names_a_weaker_one =
        hunk.weaker.iter().any(|weaker| Some(weaker.start) == hunk.claimed && weaker.quality < MatchQuality::Misquoted);
    names_a_weaker_one || by_number.is_some_and(|other| other != only)
}

fn number_names_a_position(hunk: &LocatedHunk) -> bool {
    hunk.positions.iter().any(|position| Some(position.start) == hunk.claimed)
}
