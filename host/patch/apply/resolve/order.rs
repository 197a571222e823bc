//! Which positions keep the hunks of a file apart and from top to bottom.

use std::ops::Range;
use std::rc::Rc;

use crate::apply::locate::LocatedHunk;

pub(super) fn numbers_ascend(hunks: &[LocatedHunk]) -> bool {
    hunks.iter().filter_map(|hunk| hunk.claimed).is_sorted_by(|a, b| a < b)
}

/// For each hunk the range of its starts (`open`) that assignments in order can use; None when there is no such assignment.
/// Only the cores, from the first changed line to the last, must be apart: contexts may overlap.
pub(super) fn in_order(hunks: &[&LocatedHunk], open: &[Rc<[usize]>]) -> Option<Vec<Range<usize>>> {
    let mut ranges = Vec::with_capacity(hunks.len());
    let mut floor = 0;
    for (hunk, starts) in hunks.iter().zip(open) {
        let first = starts.partition_point(|start| start + hunk.core.0 < floor);
        floor = starts.get(first)? + hunk.core.1;
        ranges.push(first..starts.len());
    }
    let mut ceiling = usize::MAX;
    for ((hunk, starts), range) in hunks.iter().zip(open).zip(&mut ranges).rev() {
        range.end = starts.partition_point(|start| start + hunk.core.1 <= ceiling);
        ceiling = starts[..range.end].last()? + hunk.core.0;
    }
    Some(ranges)
}
