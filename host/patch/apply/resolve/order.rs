//! Which positions keep the hunks of a file apart and from top to bottom.

use crate::apply::locate::{LocatedHunk, Position};

pub(super) fn numbers_ascend(hunks: &[LocatedHunk]) -> bool {
    hunks.iter().filter_map(|hunk| hunk.claimed).is_sorted_by(|a, b| a < b)
}

/// Drops the positions that no assignment in order can use. Leaves all as they are when there is no such assignment.
/// Only the cores, from the first changed line to the last, must be apart: contexts may overlap.
pub(super) fn drop_unordered(hunks: &[LocatedHunk], open: &mut [Vec<Position>]) {
    let mut kept = open.to_vec();
    let mut floor = 0;
    for (hunk, positions) in hunks.iter().zip(&mut kept) {
        positions.retain(|position| position.start + hunk.core.0 >= floor);
        let Some(first) = positions.first() else { return };
        floor = first.start + hunk.core.1;
    }
    let mut ceiling = usize::MAX;
    for (hunk, positions) in hunks.iter().zip(&mut kept).rev() {
        positions.retain(|position| position.start + hunk.core.1 <= ceiling);
        let Some(last) = positions.last() else { return };
        ceiling = last.start + hunk.core.0;
    }
    open.clone_from_slice(&kept);
}
