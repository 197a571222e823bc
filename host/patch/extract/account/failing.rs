//! The output of tests below a patch: where the last of it counts failures and words follow, whoever wrote the patch knows that it is
//! not right yet.

use std::ops::Range;

use bstr::ByteSlice;

use super::super::lines::blank;
use super::Seen;
use super::closer::Closer;
use super::doubt::{has_any, prose};

impl Closer<'_> {
    /// `from`: the line below the last edit.
    pub(super) fn find_failing_tests(&mut self, from: usize) {
        let lines = self.closing.lines;
        let mut failing = None;
        for (range, seen) in &self.open.runs {
            let is_output = matches!(seen, Seen::Block(number) if !self.closing.is_block_edit(*number));
            if range.start < from || !is_output || self.is_of_before(range.start) {
                continue;
            }
            let told = || range.clone().filter_map(|at| Some((at, outcome(lines[at])?)));
            failing = match told().find(|(_, is_failure)| *is_failure) {
                Some((at, _)) => Some(at),
                None if told().next().is_some() => None,
                None => failing,
            };
        }
        // A log alone may be of anything; whoever writes on below failures has seen them.
        let is_text = |(range, seen): &(Range<usize>, Seen), at: usize| {
            range.start > at
                && matches!(seen, Seen::Unread { is_fenced: false })
                && lines[range.clone()].iter().any(|line| !blank(line))
        };
        let failing = failing.filter(|at| self.open.runs.iter().any(|run| is_text(run, *at)));
        if let Some(at) = failing {
            self.leave(at, "is the output of tests that fail below the patch; send the patch that passes them");
        }
    }
}

impl Closer<'_> {
    /// Whether the line right above the fence says that what it shows was so without the patch.
    fn is_of_before(&self, fence: usize) -> bool {
        const EARLIER: [&str; 5] = ["before", "without", "previously", "originally", "original"];
        let lines = self.closing.lines;
        let above = (0..fence).rev().take(2).find(|at| !blank(lines[*at]));
        above.is_some_and(|above| has_any(&prose(lines[above]), &EARLIER))
    }
}

/// Whether the line counts tests, and some of them failed.
fn outcome(line: &[u8]) -> Option<bool> {
    let text = line.to_str_lossy().to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let count = |names: &[&str]| {
        words.windows(2).filter(|two| names.contains(&two[1])).find_map(|two| two[0].parse::<u32>().ok())
    };
    match (count(&["failed", "failures", "failure", "failing"]), count(&["passed", "passing", "tests", "ok"])) {
        (Some(failed), _) => Some(failed > 0),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::outcome;

    #[test]
    fn counts_of_tests() {
        assert_eq!(outcome(b"1 passed, 1 failed"), Some(true));
        assert_eq!(outcome(b"test result: ok. 7 passed; 0 failed"), Some(false));
        assert_eq!(outcome(b"===== 3 passed in 0.12s ====="), Some(false));
        assert_eq!(outcome(b"the build failed"), None);
    }
}
