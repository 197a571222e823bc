//! Evidence against the only place at which a hunk fits: its header names another, where the hunk fits but for one line.

use super::Evidence;
use crate::apply::locate::{LocatedHunk, Locator, MatchQuality, Needle, contradicted};
use crate::apply::misfit::{HunkMisfit, MisfitKind};

/// The misfit of a hunk that is to be placed at `start` and that its header says is elsewhere. What fits at the very line that the
/// header numbers needs no more: git's headings may be of the scope above.
pub(super) fn find(locator: &Locator, hunk: &LocatedHunk, evidence: &Evidence, start: usize) -> Option<HunkMisfit> {
    if !hunk.has_old_lines() || hunk.claimed == Some(start) || evidence.by_number == Some(start) {
        return None;
    }
    let old = Needle::old(hunk.hunk);
    let misfit = |named: usize, what: &str| {
        let message = contradicted(locator.text, start, named, what);
        Some(HunkMisfit::new(hunk.number, MisfitKind::Ambiguous, message))
    };
    if let Some(claimed) = hunk.claimed.filter(|claimed| locator.nearly_stands_at(&old, *claimed)) {
        return misfit(claimed, "line number");
    }
    if evidence.heading.admits(start) {
        return None;
    }
    let head = evidence.heading.first_line();
    if start < head || hunk.standing.quality == MatchQuality::Misquoted {
        return misfit(head.saturating_sub(1), "heading");
    }
    match locator.near_misses(&old) {
        Ok(near) => {
            let named = near.into_iter().find(|near| *near != start && evidence.heading.admits(*near))?;
            misfit(named, "heading")
        }
        Err(exceeded) => Some(exceeded.misfit(hunk.number)),
    }
}
