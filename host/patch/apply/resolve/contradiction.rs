//! Evidence against the only place at which a hunk fits: its header names another, where the hunk fits but for one line.

use super::LocationEvidence;
use crate::apply::locate::{Heading, LocatedHunk, Locator, MatchQuality, Needle, ambiguous, contradicted};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use guardhost_core::change::Line;

/// The misfit of a hunk that is to be placed at `start` and that its header says is elsewhere. What fits at the very line that the
/// header numbers needs no more: git's headings may be of the scope above.
pub(super) fn find(
    locator: &Locator,
    hunk: &LocatedHunk,
    evidence: &LocationEvidence,
    start: usize,
) -> Option<HunkMisfit> {
    let misfit = |named: usize, what: &str| {
        let message = contradicted(locator.text, start, named, what);
        Some(HunkMisfit::new(hunk.number, MisfitKind::Ambiguous, message))
    };
    if !hunk.has_old_lines() {
        return None;
    }
    if let Some(twin) = twin_at_heading(hunk, evidence.heading, start) {
        return misfit(twin, "heading");
    }
    if hunk.claimed == Some(start) || evidence.by_number == Some(start) {
        return None;
    }
    // Only the order has left this one of several places, and the heading is of other blocks.
    if hunk.standing.starts.len() > 1 && !evidence.heading.admits(start) {
        let message = ambiguous(&hunk.standing.starts);
        return Some(HunkMisfit::new(hunk.number, MisfitKind::Ambiguous, message));
    }
    let old = Needle::old(hunk.hunk);
    // One line of context alone does not outweigh the number.
    let is_one_line = old.len() == 1 && hunk.hunk.lines.iter().all(|line| !matches!(line, Line::Remove(_)));
    if let Some(claimed) = hunk.claimed.filter(|claimed| is_one_line || locator.nearly_stands_at(&old, *claimed)) {
        return misfit(claimed, "line number");
    }
    if evidence.heading.is_silent() || evidence.heading.contains(start) {
        return None;
    }
    let head = evidence.heading.first_line();
    let is_admitted = evidence.heading.admits(start);
    if start < head || hunk.standing.quality == MatchQuality::Misquoted && !is_admitted {
        return misfit(head.saturating_sub(1), "heading");
    }
    let line = evidence.heading.line();
    let is_named = |near: &usize| {
        let is_between = line.is_some_and(|line| line < *near && *near < start) && locator.is_telling(&old, *near);
        *near != start && (is_between || !is_admitted && evidence.heading.admits(*near))
    };
    match locator.near_misses(&old) {
        Ok(near) => misfit(near.into_iter().find(is_named)?, "heading"),
        Err(exceeded) => Some(exceeded.misfit(hunk.number)),
    }
}

/// Another place of the hunk, the next one below the line that is its heading, which heads no scope with `start` in it, nor has
/// git written it for the line `start` that the header numbers.
fn twin_at_heading(hunk: &LocatedHunk, heading: &Heading, start: usize) -> Option<usize> {
    if hunk.claimed == Some(start) && heading.is_gits(start) {
        return None;
    }
    let line = heading.line().filter(|_| !heading.contains(start))?;
    let starts = &hunk.standing.starts;
    starts.get(starts.partition_point(|other| *other <= line)).copied().filter(|twin| *twin != start)
}
