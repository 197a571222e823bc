//! Equal hunks without line numbers: one meant twice, or one for each of several equal places.

use std::collections::HashMap;
use std::rc::Rc;

use crate::apply::locate::LocatedHunk;
use guardhost_core::change::Line;

/// What makes hunks equal: their lines and headings.
type Words<'h> = (&'h [Line], &'h [Vec<u8>]);

/// Finds hunks that say what an earlier one says; true for those. Where their old lines stand in one place they are repeats, and
/// where they stand in as many places as there are hunks, each is for one of them: `open` is narrowed so. Any other number of
/// places leaves them as they are, and so does a patch that repeats other hunks: it may have been sent twice as a whole.
pub(super) fn find_repeats(hunks: &[LocatedHunk], open: &mut [Rc<[usize]>]) -> Vec<bool> {
    let mut groups: HashMap<Words, Vec<usize>> = HashMap::new();
    for (at, hunk) in hunks.iter().enumerate().filter(|(_, hunk)| hunk.claimed.is_none()) {
        groups.entry((&hunk.hunk.lines, &hunk.hunk.anchors)).or_default().push(at);
    }
    let mut is_repeat = vec![false; hunks.len()];
    let (single, several): (Vec<_>, Vec<_>) =
        groups.into_values().filter(|group| group.len() > 1).partition(|group| open[group[0]].len() == 1);
    single.iter().flat_map(|group| &group[1..]).for_each(|at| is_repeat[*at] = true);
    if single.is_empty() {
        for group in several {
            let starts = Rc::clone(&open[group[0]]);
            if starts.len() == group.len() {
                group.iter().zip(starts.iter()).for_each(|(at, start)| open[*at] = Rc::from([*start]));
            }
        }
    }
    is_repeat
}
