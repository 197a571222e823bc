//! Evidence against the only place at which a hunk fits: its header names another, where the hunk fits but for one line.

use super::Evidence;
use crate::apply::locate::{LocatedHunk, Locator, MatchQuality, Needle, contradicted};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use guardhost_core::change::Line;

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
    // One line of context alone does not outweigh the number.
    let is_one_line = old.len() == 1 && hunk.hunk.lines.iter().all(|line| !matches!(line, Line::Remove(_)));
    if let Some(claimed) = hunk.claimed.filter(|claimed| is_one_line || locator.nearly_stands_at(&old, *claimed)) {
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
