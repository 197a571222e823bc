//! Two fenced texts that no edit is made of, of which one is the other with some lines changed: `Before:` and `After:`. That is an edit
//! of a file that nobody names.

use std::collections::HashSet;
use std::ops::Range;

use super::closer::Closer;
use super::contradicted::hunks;
use crate::fence::Fence;
use guardhost_core::change::Line;

/// Shorter texts are alike by chance.
const LINES: usize = 3;

/// Shorter lines too, in bytes.
const SHORTEST: usize = 8;

impl Closer<'_> {
    /// `shown`: blocks that are taken for examples, fences included.
    pub(super) fn find_versions(&mut self, shown: &[Range<usize>]) {
        for two in shown.windows(2) {
            if self.are_versions(&two[0], &two[1]) {
                self.leave(two[1].start, "is another version of the block above, and no edit here; send it as one");
            }
        }
    }

    /// A line of an example below the patch that is an added one with other numbers, and none that the patch has: one of the two is not meant.
    pub(super) fn find_other_numbers(&mut self, shown: &[Range<usize>]) {
        let lines = self.closing.lines;
        let (mut added, mut known) = (HashSet::new(), HashSet::new());
        for line in self.closing.edits.iter().flat_map(|edit| hunks(&edit.op)).flat_map(|hunk| &hunk.lines) {
            let text = line.bytes().trim_ascii();
            known.insert(text);
            if matches!(line, Line::Add(_)) && text.iter().any(u8::is_ascii_digit) && text.len() > SHORTEST {
                added.insert(without_numbers(text));
            }
        }
        if added.is_empty() || !lines.spend(known.len()) {
            return;
        }
        // What stands above the patch, it may replace.
        let end = self.end_of_edits();
        for at in shown
            .iter()
            .filter(|block| block.start >= end)
            .flat_map(|block| block.start + 1..block.end.saturating_sub(1))
        {
            let text = lines[at].trim_ascii();
            if text.iter().any(u8::is_ascii_digit) && !known.contains(text) && added.contains(&without_numbers(text)) {
                self.leave(at, "is a line of the patch with other numbers; send the one that is meant");
                return;
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

/// The text with each number as one sign.
fn without_numbers(text: &[u8]) -> Vec<u8> {
    let mut bare: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text {
        match (byte.is_ascii_digit(), bare.last()) {
            (true, Some(b'0')) => {}
            (true, _) => bare.push(b'0'),
            (false, _) => bare.push(*byte),
        }
    }
    bare
}
