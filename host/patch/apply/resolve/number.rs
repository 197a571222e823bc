//! Which position a hunk's line number speaks for.

use crate::apply::locate::LocatedHunk;

/// How far the nearest hunks above and below, that match in one position only, are below their numbers; None without one.
#[derive(Clone, Copy)]
pub(super) struct Drift {
    above: Option<isize>,
    below: Option<isize>,
}

impl Drift {
    fn known(self) -> impl Iterator<Item = isize> {
        self.above.into_iter().chain(self.below)
    }
}

/// The drift around each hunk.
pub(super) fn drifts(hunks: &[LocatedHunk]) -> Vec<Drift> {
    let above = nearest_drifts(hunks.iter());
    let mut below = nearest_drifts(hunks.iter().rev());
    below.reverse();
    above.into_iter().zip(below).map(|(above, below)| Drift { above, below }).collect()
}

/// For each hunk the drift of the nearest earlier one that has one.
fn nearest_drifts<'l, 'h: 'l>(hunks: impl Iterator<Item = &'l LocatedHunk<'h>>) -> Vec<Option<isize>> {
    let mut last = None;
    hunks
        .map(|hunk| {
            let earlier = last;
            last = own_drift(hunk).or(last);
            earlier
        })
        .collect()
}

fn own_drift(hunk: &LocatedHunk) -> Option<isize> {
    Some(hunk.only_start()? as isize - hunk.claimed? as isize)
}

/// The start at the number, with the drift added, when no other is as near as the drift is large.
pub(super) fn position(hunk: &LocatedHunk, drift: Drift) -> Option<usize> {
    let claimed = hunk.claimed? as isize;
    let mut expected: Vec<isize> = drift.known().map(|drift| claimed + drift).collect();
    if expected.is_empty() {
        expected.push(claimed);
    }
    let reach = drift.known().map(isize::unsigned_abs).max().unwrap_or(0);
    let starts = &hunk.standing.starts;
    let in_reach = |line: &isize| {
        let first = starts.partition_point(|start| (*start as isize) < line.saturating_sub_unsigned(reach));
        // A third cannot change what two in reach decide.
        starts[first..].iter().take(2).filter(|start| line.abs_diff(**start as isize) <= reach).collect::<Vec<_>>()
    };
    let mut near = expected.iter().flat_map(in_reach);
    let position = *near.next()?;
    (near.all(|other| *other == position) && expected.contains(&(position as isize))).then_some(position)
}
