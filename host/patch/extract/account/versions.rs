//! Two fenced texts that no edit is made of, of which one is the other with some lines changed: `Before:` and `After:`. That is an edit
//! of a file that nobody names.

use std::collections::HashSet;
use std::ops::Range;

use super::closer::Closer;
use crate::fence::Fence;

/// Shorter texts are alike by chance.
const LINES: usize = 3;

impl Closer<'_> {
    /// `shown`: blocks that are taken for examples, fences included.
    pub(super) fn find_versions(&mut self, shown: &[Range<usize>]) {
        for two in shown.windows(2) {
            if self.are_versions(&two[0], &two[1]) {
                self.leave(two[1].start, "is another version of the block above, and no edit here; send it as one");
            }
        }
    }

    fn are_versions(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        let lines = self.closing.lines;
        let language = |block: &Range<usize>| Fence::open(lines[block.start], block.start).map(|fence| fence.info);
        let texts = |block: &Range<usize>| -> HashSet<&[u8]> {
            let inside = block.start + 1..block.end.saturating_sub(1).max(block.start + 1);
            lines[inside].iter().map(|line| line.trim_ascii()).filter(|line| line.len() > 1).collect()
        };
        let is_code = language(one).is_some_and(|info| !info.is_empty()) && language(one) == language(other);
        if !is_code || !lines.spend(one.len() + other.len()) {
            return false;
        }
        let (one, other) = (texts(one), texts(other));
        let same = one.intersection(&other).count();
        let least = one.len().min(other.len());
        least >= LINES && one != other && same * 3 >= least * 2
    }
}
