//! Look at one hunk on one text: where it fits, or that the text holds it already, or why it cannot be placed.

use super::already::{Already, already};
use super::decide::Quarry;
use super::lines::Text;
use super::misfit::HunkMisfit;
use super::nearest;
use super::search::{Exhausted, Fit, Index, Place, Side};
use super::terms::{Terms, line_above};
use guardhost_core::change::{Hunk, Line};

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
    pub fn survey<'h>(&self, number: usize, hunk: &'h Hunk) -> Survey<'h> {
        let looked = if hunk.lines.iter().any(Line::is_old) {
            self.look(number, hunk)
        } else {
            Ok(self.insertion(number, hunk))
        };
        looked.unwrap_or_else(|Exhausted| {
            let message = "the file repeats itself so much that its lines cannot be told apart. Send the whole file.";
            Survey::Misfit(HunkMisfit::new(number, "too-repetitive", message))
        })
    }

    fn look<'h>(&self, number: usize, hunk: &'h Hunk) -> Result<Survey<'h>, Exhausted> {
        let old = Side::old(hunk);
        let claimed = hunk.old_start.map(line_above);
        let mut places = self.index.places(&old, claimed)?;
        if hunk.at_end || hunk.old_no_newline {
            let at_end = |place: &Place| place.start + old.len() >= self.text.len();
            if places.iter().any(at_end) {
                places.retain(at_end);
            }
        }
        let named: Vec<usize> = claimed.map(|line| self.terms.named(line)).into_iter().flatten().collect();
        match already(&self.index, hunk, &places, &named)? {
            Already::No => {}
            Already::At(start) => return Ok(Survey::Already(start)),
            Already::Unclear(start) => {
                let message = nearest::unclear(start, &places);
                return Ok(Survey::Misfit(HunkMisfit::new(number, "ambiguous", message)));
            }
        }
        let Some(best) = places.iter().map(|place| place.fit).min() else {
            let message = nearest::not_found(self.text, &self.index, &old, claimed);
            return Ok(Survey::Misfit(HunkMisfit::new(number, "not-found", message)));
        };
        let (places, weaker) = places.into_iter().partition(|place| place.fit == best);
        Ok(Survey::Fits(Quarry { number, hunk, claimed, core: core(hunk), places, weaker }))
    }

    /// Lines that come without context go only where an honest header says, or where there is no choice.
    fn insertion<'h>(&self, number: usize, hunk: &'h Hunk) -> Survey<'h> {
        let end = self.text.len();
        let line = hunk.old_start.map(|line| line as usize);
        let named = line.filter(|line| self.terms.honest && (1..=end).contains(line));
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
        Survey::Fits(Quarry { number, hunk, claimed, core: (0, 0), places, weaker: Vec::new() })
    }
}

/// Offsets, among the old lines, of the first that the hunk changes and one past the last.
fn core(hunk: &Hunk) -> (usize, usize) {
    let is_context = |line: &&Line| matches!(line, Line::Context(_));
    let above = hunk.lines.iter().take_while(is_context).count();
    let below = hunk.lines.iter().rev().take_while(is_context).count();
    let old = hunk.lines.iter().filter(|line| line.is_old()).count();
    (above, old.saturating_sub(below).max(above))
}
