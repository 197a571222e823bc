//! When one context line that reads otherwise in the file is forgiven.
//!
//! The change then rests on the other lines, so they must name one place, and nothing may name another: not the quoted line, not
//! the line number, not a place that fits as well. And the difference must be a slip: a line that differs in substance may be
//! the change itself, written as context.

use super::needle::Needle;
use super::pattern::Hit;
use super::quality::{only_other_margin, quality_at};
use super::typing_error::is_typing_error;
use super::{Locator, SearchBudgetExceeded};
use crate::apply::context::line_index;
use crate::apply::text::{has_substance, has_text, trim};
use guardhost_core::change::{Hunk, Line};

impl<'a> Locator<'a> {
    /// The place of a hunk that has one misquoted line of context.
    pub(super) fn misquoted(&self, hunk: &'a Hunk, old: &Needle<'a>) -> Result<Option<usize>, SearchBudgetExceeded> {
        let [Hit { start, off: Some(at) }] = self.index.hits(old, true)?[..] else { return Ok(None) };
        let line = &old.lines[at];
        let is_slip = match self.text.rows.get(start + at) {
            Some(row) => {
                let is_known = |word: &[u8]| self.words().contains(word) || adds_word(hunk, word);
                // The last line of a hunk with nothing but its end missing is where a reply breaks off.
                let is_cut = at + 1 == old.len() && trim(row.text).starts_with(trim(line.bytes));
                !is_cut
                    && self.index.rows_like(line.bytes).is_empty()
                    && is_typing_error(line.bytes, row.text, &is_known)
            }
            // Models add an empty line below the file's last.
            None => !has_text(line.bytes),
        };
        let is_forgiven = line.is_context
            && is_slip
            && quality_at(self.text, old, start, Some(at)).is_some()
            && !rests_on(hunk, at)
            && self.names_place(hunk, old, start)
            && !self.number_names_other(hunk, old, start)
            && !self.others_stand_elsewhere(old, start, at)?;
        Ok(is_forgiven.then_some(start))
    }

    /// Whether the lines other than that at `at` stand together, elsewhere than they do at `start`.
    fn others_stand_elsewhere(&self, old: &Needle, start: usize, at: usize) -> Result<bool, SearchBudgetExceeded> {
        // At an edge of the hunk the others are together at its own place.
        let own = match at {
            0 => Some(start + 1),
            at if at + 1 == old.len() => Some(start),
            _ => None,
        };
        Ok(self.index.hits(&old.without(at), false)?.iter().any(|hit| Some(hit.start) != own))
    }

    /// Whether only the margin of one context line differs at the only place. Below or above an added line it may be what the
    /// change does to it.
    pub(super) fn may_keep_margin(&self, hunk: &Hunk, old: &Needle, start: usize) -> bool {
        let is_add = |at: Option<usize>| at.is_some_and(|at| matches!(hunk.lines.get(at), Some(Line::Add(_))));
        only_other_margin(self.text, old, start).is_some_and(|at| {
            let at = place_in(hunk, at);
            !is_add(Some(at + 1)) && !is_add(at.checked_sub(1))
        }) && self.names_place(hunk, old, start)
            && !self.number_names_other(hunk, old, start)
    }

    /// Whether enough lines agree: two of substance, or one at the line that the header claims.
    fn names_place(&self, hunk: &Hunk, old: &Needle, start: usize) -> bool {
        let agreeing = self.telling(old, start);
        agreeing >= 2 || agreeing == 1 && hunk.old_start.map(line_index) == Some(start)
    }

    /// Whether two lines of substance are the file's at `start`, or one where the needle has two only.
    pub fn is_telling(&self, old: &Needle, start: usize) -> bool {
        let all = old.bytes().filter(|line| has_substance(line)).count();
        self.telling(old, start) >= all.saturating_sub(1).clamp(1, 2)
    }

    fn telling(&self, old: &Needle, start: usize) -> usize {
        self.index.agreeing(old, start).filter(|at| has_substance(old.lines[*at].bytes)).count()
    }

    fn number_names_other(&self, hunk: &Hunk, old: &Needle, start: usize) -> bool {
        hunk.old_start.map(line_index).is_some_and(|claimed| claimed != start && self.half_stands_at(old, claimed))
    }

    /// Whether half of the lines, one of them of substance, are the file's at `start`.
    pub(super) fn half_stands_at(&self, needle: &Needle, start: usize) -> bool {
        let agreeing: Vec<usize> = self.index.agreeing(needle, start).collect();
        agreeing.len() * 2 >= needle.len() && agreeing.iter().any(|at| has_substance(needle.lines[*at].bytes))
    }
}

/// Whether the old line at `at` alone says where lines are added: the hunk begins or ends with them, and it is next to them.
fn rests_on(hunk: &Hunk, at: usize) -> bool {
    let at = place_in(hunk, at);
    let adds = |lines: &[Line]| !lines.is_empty() && lines.iter().all(|line| !line.is_old());
    adds(&hunk.lines[..at]) || adds(&hunk.lines[at + 1..])
}

/// Where the old line at `at` is among all lines of the hunk.
fn place_in(hunk: &Hunk, at: usize) -> usize {
    let mut old = hunk.lines.iter().enumerate().filter(|(_, line)| line.is_old());
    old.nth(at).map_or(0, |(place, _)| place)
}

fn adds_word(hunk: &Hunk, word: &[u8]) -> bool {
    let added = hunk.lines.iter().filter(|line| !line.is_old());
    added.flat_map(|line| super::typing_error::words(line.bytes())).any(|other| other == word)
}
