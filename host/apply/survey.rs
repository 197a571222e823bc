//! Look at one hunk on one text: where it fits, or that the text holds it already, or why it cannot be placed.

use super::decide::Quarry;
use super::lines::{Text, has_substance};
use super::nearest;
use super::place::{HunkMisfit, Terms};
use super::search::{Exhausted, Fit, Index, Place, Side};
use crate::change::{Hunk, Line};

pub(super) enum Survey<'h> {
    Fits(Quarry<'h>),
    /// Index of the first of the lines that it wants to put there.
    Already(usize),
    Misfit(HunkMisfit),
}

/// Lines of one file and the terms under which hunks are placed on them.
pub(super) struct Site<'a> {
    pub text: &'a Text<'a>,
    pub index: Index<'a>,
    pub terms: &'a Terms<'a>,
}

impl Site<'_> {
    /// `grown`: how much longer the hunks above this one make the file.
    pub fn survey<'h>(&self, number: usize, hunk: &'h Hunk, grown: isize) -> Survey<'h> {
        let looked = if hunk.lines.iter().any(Line::is_old) {
            self.look(number, hunk, grown)
        } else {
            Ok(self.insertion(number, hunk))
        };
        looked.unwrap_or_else(|Exhausted| {
            let message = "the file repeats itself so much that its lines cannot be told apart. Send the whole file.";
            Survey::Misfit(HunkMisfit::new(number, "too-repetitive", message))
        })
    }

    fn look<'h>(&self, number: usize, hunk: &'h Hunk, grown: isize) -> Result<Survey<'h>, Exhausted> {
        let old = Side::old(hunk);
        let claimed = hunk.old_start.map(|line| (line as usize).saturating_sub(1));
        let mut places = self.index.places(&old)?;
        if hunk.at_end || hunk.old_no_newline {
            let at_end = |place: &Place| place.start + old.len() >= self.text.len();
            if places.iter().any(at_end) {
                places.retain(at_end);
            }
        }
        if let Some(start) = self.already(hunk, &old, &places, claimed, grown)? {
            return Ok(Survey::Already(start));
        }
        let Some(best) = places.iter().map(|place| place.fit).min() else {
            let message = nearest::not_found(self.text, &self.index, &old, claimed);
            return Ok(Survey::Misfit(HunkMisfit::new(number, "not-found", message)));
        };
        let (places, weaker) = places.into_iter().partition(|place| place.fit == best);
        let claimed_moved = claimed.map(|line| self.terms.moved(line));
        Ok(Survey::Fits(Quarry { number, hunk, claimed, claimed_moved, core: core(hunk), places, weaker }))
    }

    /// Lines that come without context go only where an honest header says, or where there is no choice.
    fn insertion<'h>(&self, number: usize, hunk: &'h Hunk) -> Survey<'h> {
        let end = self.text.len();
        let line = hunk.old_start.map(|line| line as usize);
        let named =
            line.filter(|line| self.terms.honest && (1..=end).contains(line) && self.terms.moved(*line) == *line);
        let (start, claimed) = match named {
            _ if end == 0 || hunk.at_end => (end, None),
            // A header over no old lines names the line above.
            Some(line) => (line, named),
            None => {
                let message = "it only adds lines, without context, and no trustworthy line number says where. \
                               Give the lines above and below the place.";
                return Survey::Misfit(HunkMisfit::new(number, "no-context", message));
            }
        };
        let places = vec![Place { start, fit: Fit::Exact }];
        Survey::Fits(Quarry { number, hunk, claimed, claimed_moved: claimed, core: (0, 0), places, weaker: Vec::new() })
    }

    /// Where the hunk's new lines stand already. Taken for that only when there is no other reading.
    fn already(
        &self,
        hunk: &Hunk,
        old: &Side,
        places: &[Place],
        claimed: Option<usize>,
        grown: isize,
    ) -> Result<Option<usize>, Exhausted> {
        if !is_telling(hunk) {
            return Ok(None);
        }
        let new = Side::new(hunk);
        if places.is_empty() {
            let [place] = self.index.verbatim(&new)?[..] else { return Ok(None) };
            // Where the old lines nearly stand, the hunk may have been meant for that place.
            let reach = old.len().max(new.len());
            let elsewhere = |near: &Place| near.start.abs_diff(place.start) >= reach;
            return Ok((!self.index.near(old)?.iter().any(elsewhere)).then_some(place.start));
        }
        // Of two twins one is changed already, and the header names that one: the other is not meant.
        if let Some(line) = claimed
            && places.iter().all(|place| place.start != line)
        {
            let starts = [Some(line), line.checked_add_signed(grown)];
            return Ok(starts.into_iter().flatten().find(|start| self.index.stands_at(&new, *start)));
        }
        // An insertion at an edge of the hunk leaves the old lines together, so they are found again after it was made.
        let [place] = places[..] else { return Ok(None) };
        if hunk.lines.iter().any(|line| matches!(line, Line::Remove(_))) {
            return Ok(None);
        }
        let above = hunk.lines.iter().take_while(|line| matches!(line, Line::Add(_))).count();
        Ok(place.start.checked_sub(above).filter(|start| self.index.stands_at(&new, *start)))
    }
}

/// Whether finding the new side proves anything: it brings in a line that says something, or it closes a gap between lines
/// that do.
fn is_telling(hunk: &Hunk) -> bool {
    let substantial = |line: &&Line| has_substance(line.bytes());
    let brings = |line: &Line| {
        matches!(line, Line::Add(_))
            && has_substance(line.bytes())
            && !hunk.lines.iter().any(|other| matches!(other, Line::Remove(bytes) if bytes == line.bytes()))
    };
    let is_context = |line: Option<&Line>| matches!(line, Some(Line::Context(_)));
    hunk.lines.iter().any(brings)
        || is_context(hunk.lines.first())
            && is_context(hunk.lines.last())
            && hunk.lines.iter().filter(|line| line.is_new()).filter(substantial).count() >= 2
}

/// Offsets, among the old lines, of the first that the hunk changes and one past the last.
fn core(hunk: &Hunk) -> (usize, usize) {
    let is_context = |line: &&Line| matches!(line, Line::Context(_));
    let above = hunk.lines.iter().take_while(is_context).count();
    let below = hunk.lines.iter().rev().take_while(is_context).count();
    let old = hunk.lines.iter().filter(|line| line.is_old()).count();
    (above, old.saturating_sub(below).max(above))
}
