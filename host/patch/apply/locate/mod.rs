//! Where one hunk matches one text, or that the text holds its result already, or why it cannot be placed.

mod already_applied;
mod index;
mod nearest;
mod needle;
mod quality;
mod search;

pub use index::LineIndex;
pub use nearest::{ambiguous, shown};
pub use quality::{MatchQuality, tab_widths};
pub use search::Position;

use super::context::{PatchContext, line_index};
use super::misfit::{HunkMisfit, MisfitKind};
use super::text::Text;
use already_applied::{Applied, detect_applied};
use guardhost_core::change::{HeaderCounts, Hunk, Line};
use needle::Needle;

/// The file could not be searched within the budget of its [`LineIndex`].
pub struct SearchBudgetExceeded;

/// A hunk and where it matches.
pub struct LocatedHunk<'h> {
    /// Number in the file's patch, from 1.
    pub number: usize,
    pub hunk: &'h Hunk,
    /// Where the header says that it starts, from 0.
    pub claimed: Option<usize>,
    /// Offsets of the first changed old line and one past the last.
    pub core: (usize, usize),
    /// The positions with the best quality, in order; never empty.
    pub positions: Vec<Position>,
    /// The positions with a lesser quality.
    pub weaker: Vec<Position>,
}

impl LocatedHunk<'_> {
    pub fn only_position(&self) -> Option<Position> {
        match self.positions[..] {
            [position] => Some(position),
            _ => None,
        }
    }

    pub fn has_old_lines(&self) -> bool {
        self.hunk.lines.iter().any(Line::is_old)
    }
}

pub enum Location<'h> {
    Found(LocatedHunk<'h>),
    /// Index of the first of the hunk's new lines, which are in the file.
    AlreadyApplied(usize),
    Misfit(HunkMisfit),
}

/// A text with its index and what is known about the hunks for it.
pub struct Locator<'a> {
    pub text: &'a Text<'a>,
    pub index: LineIndex<'a>,
    pub context: &'a PatchContext<'a>,
}

impl Locator<'_> {
    pub fn locate<'h>(&self, number: usize, hunk: &'h Hunk) -> Location<'h> {
        let location = if hunk.lines.iter().any(Line::is_old) {
            self.by_old_lines(number, hunk)
        } else {
            Ok(self.by_header(number, hunk))
        };
        location.unwrap_or_else(|SearchBudgetExceeded| {
            let message = "the file repeats itself so much that its lines cannot be told apart. Send the whole file.";
            Location::Misfit(HunkMisfit::new(number, MisfitKind::TooRepetitive, message))
        })
    }

    fn by_old_lines<'h>(&self, number: usize, hunk: &'h Hunk) -> Result<Location<'h>, SearchBudgetExceeded> {
        let old = Needle::old(hunk);
        let claimed = hunk.old_start.map(line_index);
        let mut positions = self.index.positions(&old, claimed)?;
        if hunk.at_end || hunk.old_no_newline {
            let at_end = |position: &Position| position.start + old.len() >= self.text.len();
            if positions.iter().any(at_end) {
                positions.retain(at_end);
            }
        }
        let numbered: Vec<usize> = claimed.map(|line| self.context.new_starts(line)).into_iter().flatten().collect();
        match detect_applied(&self.index, hunk, &positions, &numbered)? {
            Applied::No => {}
            Applied::At(start) => return Ok(Location::AlreadyApplied(start)),
            Applied::Unclear(start) => {
                let message = nearest::either_place(start, &positions);
                return Ok(Location::Misfit(HunkMisfit::new(number, MisfitKind::Ambiguous, message)));
            }
        }
        let Some(best) = positions.iter().map(|position| position.quality).min() else {
            let message = nearest::not_found(self.text, &self.index, &old, claimed);
            return Ok(Location::Misfit(HunkMisfit::new(number, MisfitKind::NotFound, message)));
        };
        let (positions, weaker) = positions.into_iter().partition(|position| position.quality == best);
        Ok(Location::Found(LocatedHunk { number, hunk, claimed, core: core(hunk), positions, weaker }))
    }

    /// Added lines without context go only where a trusted header says, or where there is no choice.
    fn by_header<'h>(&self, number: usize, hunk: &'h Hunk) -> Location<'h> {
        let end = self.text.len();
        let line = hunk.old_start.map(|line| line as usize);
        let is_trusted = self.context.header_counts == HeaderCounts::Trusted;
        let numbered = line.filter(|line| is_trusted && (1..=end).contains(line));
        let (start, claimed) = match numbered {
            _ if end == 0 || hunk.at_end => (end, None),
            // A header over no old lines names the line above.
            Some(line) => (line, numbered),
            None => {
                let message = "it only adds lines, without context, and no trustworthy line number says where. \
                               Give the lines above and below the place.";
                return Location::Misfit(HunkMisfit::new(number, MisfitKind::NoContext, message));
            }
        };
        let positions = vec![Position { start, quality: MatchQuality::Exact }];
        Location::Found(LocatedHunk { number, hunk, claimed, core: (0, 0), positions, weaker: Vec::new() })
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
