//! Whether a file already holds what a hunk adds. Models send the same patch twice; a second copy of an insertion, or a
//! change of a twin of the place that is already changed, would be a wrong guess. And so would be to do nothing where the change
//! is still to be made: it is done only where the hunk's new lines stand, word for word, at the place that the patch names.

use std::collections::HashSet;

use super::needle::Needle;
use super::pattern;
use super::quality::MatchQuality;
use super::search::Occurrences;
use super::{Locator, SearchBudgetExceeded};
use crate::apply::text::{has_substance, trim_end, without_cr};
use guardhost_core::change::{Hunk, Line};

pub(super) enum Applied {
    No,
    /// The new lines stand at the line that the header names, or in the scope that its heading names.
    Named(usize),
    /// They stand in one place only; no line number and no heading names it.
    Unnamed(usize),
    /// The new lines are in one place, and the old lines in another: either may be meant.
    Unclear {
        new: usize,
        old: usize,
    },
}

impl<'a> Locator<'a> {
    /// `old_standing`: where the old lines stand. `numbered`: where the new lines would begin by the header's number; the first of
    /// them is where the old ones would.
    pub(super) fn detect_applied(
        &self,
        hunk: &'a Hunk,
        old_standing: Option<&Occurrences>,
        numbered: &[usize],
    ) -> Result<Applied, SearchBudgetExceeded> {
        let (old, new) = (Needle::old(hunk), Needle::new(hunk));
        // A change of white space at line ends finds its old lines wherever its new ones are, and may be made again.
        if old.bytes().map(trim_end).eq(new.bytes().map(trim_end)) {
            return Ok(Applied::No);
        }
        // The old lines stand where the number says: only an insertion could still be there already.
        if let Some(standing) = old_standing.filter(|standing| standing.quality.has_every_line())
            && let Some(start) = numbered.iter().find(|start| standing.starts.binary_search(start).is_ok())
        {
            let inserted = self.insertion_above(hunk, &new, *start, standing.quality);
            return Ok(inserted.map_or(Applied::No, Applied::Named));
        }
        let old_is_verbatim = old_standing.is_some_and(|standing| standing.quality.is_verbatim());
        let new_at_number = numbered
            .iter()
            .find(|start| self.stands_at(&new, **start, MatchQuality::TrailingSpace) && self.has_added(hunk, **start));
        // Blank lines or braces more, among others like them, prove nothing even there.
        let is_telling = !only_inserts(hunk) || adds_substance(hunk);
        if let Some(&start) = new_at_number.filter(|_| is_telling) {
            let needed = if old_is_verbatim { AppliedEvidence::Strong } else { AppliedEvidence::Weak };
            if !self.is_in_step(hunk, &old, start)
                && evidence(hunk, start == 0, start + new.len() == self.text.len()) >= needed
            {
                return Ok(Applied::Named(start));
            }
        }
        self.applied_anywhere(hunk, old_standing, numbered.first().copied())
    }

    /// Without a number that helps. One more brace among braces proves nothing, so the hunk must add text of substance.
    fn applied_anywhere(
        &self,
        hunk: &'a Hunk,
        old_standing: Option<&Occurrences>,
        claimed: Option<usize>,
    ) -> Result<Applied, SearchBudgetExceeded> {
        let (old, new) = (Needle::old(hunk), Needle::new(hunk));
        let adds = hunk.lines.iter().any(|line| matches!(line, Line::Add(_)));
        let proven = evidence(hunk, false, false) == AppliedEvidence::Strong && (!adds || adds_substance(hunk));
        if !proven || old_contains_new(&old, &new) {
            return Ok(Applied::No);
        }
        let Some(found) = self.standing(&new)?.filter(|found| found.quality.is_verbatim()) else {
            return Ok(Applied::No);
        };
        let first = found.starts[0];
        if !self.has_added(hunk, first) {
            return Ok(Applied::No);
        }
        let Some(old_standing) = old_standing else {
            // The number may name the place that is to be changed, and so may removed lines that are still there, and a place
            // where the old lines stand but for one.
            // An insertion leaves its old lines among its new ones, but for one; a removal does not. A place apart from the new
            // lines, however near, is one that may be still to be changed.
            let is_among = |near: usize| !only_removes(hunk) && near < first + new.len() && first < near + old.len();
            let is_proven = found.starts.len() == 1
                && !self.is_in_step(hunk, &old, first)
                && !claimed.is_some_and(|line| line != first && self.half_stands_at(&old, line))
                && !self.removed_lines_stand(hunk)?
                && self.near_misses(&old)?.into_iter().all(is_among);
            return Ok(match is_proven.then(|| self.heading(hunk)) {
                None => Applied::No,
                Some(heading) if heading.is_silent() => Applied::Unnamed(first),
                Some(heading) if heading.admits(first) => Applied::Named(first),
                Some(_) => Applied::No,
            });
        };
        // After an insertion the old lines may still match, in part among the inserted ones; after a removal they may not. Where
        // they stand beside all new ones, the change may be still to be made.
        let overlaps = |at: usize| {
            let reached = found.starts.partition_point(|start| start + new.len() <= at);
            found.starts.get(reached).is_some_and(|start| *start < at + old.len())
        };
        let apart = old_standing.starts.iter().find(|at| !overlaps(**at));
        // The header numbers most of the lines of the only place that has the old lines, and none of the new ones.
        let is_numbered = |line: usize| {
            let half = line.abs_diff(old_standing.starts[0]) * 2 < old.len();
            half && found.starts.iter().all(|new_start| line + old.len() <= *new_start || new_start + new.len() <= line)
        };
        if old_standing.starts.len() == 1 && apart.is_some() && claimed.is_some_and(is_numbered) {
            return Ok(Applied::No);
        }
        Ok(match apart {
            None if only_inserts(hunk) => Applied::Unnamed(first),
            _ => Applied::Unclear { new: first, old: *apart.unwrap_or(&old_standing.starts[0]) },
        })
    }

    /// Whether what the hunk adds is in the file byte for byte, its new lines being at `start`: blanks at line ends may be what it
    /// takes away.
    fn has_added(&self, hunk: &Hunk, start: usize) -> bool {
        let new = hunk.lines.iter().filter(|line| line.is_new());
        let mut pairs = new.zip(self.text.rows.iter().skip(start));
        pairs.all(|(line, row)| matches!(line, Line::Context(_)) || without_cr(line.bytes()) == row.text)
    }

    /// After a removal its old lines are out of step with the file's; in step but for one, that one is misquoted.
    fn is_in_step(&self, hunk: &Hunk, old: &Needle, start: usize) -> bool {
        only_removes(hunk) && self.nearly_stands_at(old, start)
    }

    /// Whether lines of substance that the hunk removes still stand together in the file.
    fn removed_lines_stand(&self, hunk: &'a Hunk) -> Result<bool, SearchBudgetExceeded> {
        let is_removed = |line: &Line| matches!(line, Line::Remove(_));
        for run in hunk.lines.chunk_by(|a, b| is_removed(a) == is_removed(b)).filter(|run| is_removed(&run[0])) {
            let needle = Needle::from_lines(run.iter());
            if needle.bytes().any(has_substance) && !self.index.hits(&needle, false)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where the new lines begin if the insertion was made already and its old lines match again below it: it begins as the lines
    /// below it do, or lies at an edge of the hunk. Text of substance is not inserted twice in a row.
    fn insertion_above(&self, hunk: &Hunk, new: &Needle, start: usize, worst: MatchQuality) -> Option<usize> {
        let above = hunk.lines.iter().take_while(|line| matches!(line, Line::Add(_))).count();
        let start = start.checked_sub(above)?;
        let is_there = only_inserts(hunk) && adds_substance(hunk) && self.stands_at(new, start, worst);
        is_there.then_some(start)
    }
}

/// Whether the new lines are among the old ones, so that a file has them before the change too: what is removed ends as the
/// lines above it do.
fn old_contains_new(old: &Needle, new: &Needle) -> bool {
    let [old, new] = [old, new].map(|needle| needle.bytes().map(trim_end).collect::<Vec<_>>());
    !pattern::hits(&new, &old, false).is_empty()
}

/// What it proves that the new lines are found.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum AppliedEvidence {
    Absent,
    /// The removed lines are missing between their neighbours, and one line of substance is around.
    Weak,
    /// An added line has substance, or two lines around the gap have.
    Strong,
}

/// `at_start`, `at_end`: the file has nothing above or below the new lines.
fn evidence(hunk: &Hunk, at_start: bool, at_end: bool) -> AppliedEvidence {
    let is_context = |line: Option<&Line>| matches!(line, Some(Line::Context(_)));
    if adds_substance(hunk) {
        return AppliedEvidence::Strong;
    }
    let has_neighbours = (at_start || is_context(hunk.lines.first())) && (at_end || is_context(hunk.lines.last()));
    let substance = || hunk.lines.iter().filter(|line| line.is_new() && has_substance(line.bytes())).count();
    match has_neighbours.then(substance) {
        None | Some(0) => AppliedEvidence::Absent,
        Some(1) => AppliedEvidence::Weak,
        Some(_) => AppliedEvidence::Strong,
    }
}

fn only_inserts(hunk: &Hunk) -> bool {
    !hunk.lines.iter().any(|line| matches!(line, Line::Remove(_)))
}

fn only_removes(hunk: &Hunk) -> bool {
    hunk.lines.iter().all(Line::is_old)
}

/// Whether an added line has substance and is none of the old lines.
fn adds_substance(hunk: &Hunk) -> bool {
    let old: HashSet<&[u8]> = hunk.lines.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
    let mut added = hunk.lines.iter().filter(|line| !line.is_old()).map(Line::bytes);
    added.any(|line| has_substance(line) && !old.contains(line))
}
