//! Where one hunk matches one text, or that the text holds its result already, or why it cannot be placed.

mod already_applied;
mod blanks;
mod heading;
mod index;
mod message;
mod misquote;
mod nearest;
mod needle;
mod pattern;
mod quality;
mod search;
mod signs;
mod typing_error;

pub use blanks::{BlankLines, filled};
pub use heading::Heading;
pub use message::{ambiguous, contradicted, disordered, not_trimmed, shown};
pub use needle::Needle;
pub use quality::{MatchQuality, Shift, shift, tab_widths};
pub use search::Occurrences;
pub use signs::Signs;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::context::{PatchContext, line_index};
use super::misfit::{HunkMisfit, MisfitKind};
use super::text::{Text, has_text};
use already_applied::Applied;
use guardhost_core::change::{HeaderCounts, Hunk, Line};
use index::LineIndex;
use needle::NeedleLine;

/// The file could not be searched within the budget of its [`LineIndex`].
pub struct SearchBudgetExceeded;

impl SearchBudgetExceeded {
    pub fn misfit(&self, number: usize) -> HunkMisfit {
        let message = "the file repeats itself so much that its lines cannot be told apart. Send the whole file.";
        HunkMisfit::new(number, MisfitKind::TooRepetitive, message)
    }
}

/// A hunk and where it matches.
#[derive(Clone)]
pub struct LocatedHunk<'h> {
    /// Number in the file's patch, from 1.
    pub number: usize,
    pub hunk: &'h Hunk,
    /// Where the header says that it starts, from 0.
    pub claimed: Option<usize>,
    /// Offsets of the first changed old line and one past the last.
    pub core: (usize, usize),
    pub standing: Occurrences,
}

impl LocatedHunk<'_> {
    pub fn only_start(&self) -> Option<usize> {
        match self.standing.starts[..] {
            [start] => Some(start),
            _ => None,
        }
    }

    pub fn has_old_lines(&self) -> bool {
        self.hunk.lines.iter().any(Line::is_old)
    }
}

pub enum Location<'h> {
    Found(LocatedHunk<'h>),
    /// Index of the first of the hunk's new lines, which are in the file. `is_named`: the header says that they are there.
    AlreadyApplied {
        start: usize,
        is_named: bool,
    },
    Misfit(HunkMisfit),
}

/// A text with its index and what is known about the hunks for it.
pub struct Locator<'a> {
    pub text: &'a Text<'a>,
    pub context: &'a PatchContext<'a>,
    index: LineIndex<'a>,
    /// Needles that were searched for.
    known: RefCell<HashMap<Vec<NeedleLine<'a>>, Option<Occurrences>>>,
    words: OnceCell<HashSet<&'a [u8]>>,
    outline: OnceCell<Vec<u32>>,
}

impl<'a> Locator<'a> {
    pub fn new(text: &'a Text<'a>, context: &'a PatchContext<'a>) -> Self {
        let index = LineIndex::new(text);
        Locator { text, context, index, known: RefCell::default(), words: OnceCell::new(), outline: OnceCell::new() }
    }

    pub fn locate(&self, number: usize, hunk: &'a Hunk) -> Location<'a> {
        let location = if hunk.lines.iter().any(Line::is_old) {
            self.by_old_lines(number, hunk)
        } else {
            Ok(self.by_header(number, hunk))
        };
        location.unwrap_or_else(|exceeded| Location::Misfit(exceeded.misfit(number)))
    }

    fn by_old_lines(&self, number: usize, hunk: &'a Hunk) -> Result<Location<'a>, SearchBudgetExceeded> {
        let old = Needle::old(hunk);
        let claimed = hunk.old_start.map(line_index);
        let mut standing = match self.standing(&old)? {
            Some(standing) => self.as_shifted(hunk, &old, standing),
            None => self.inexact(hunk, &old)?,
        };
        if let Some(standing) = &mut standing
            && (hunk.at_end || hunk.old_no_newline)
        {
            // All but the last are above the end.
            let last = standing.starts[standing.starts.len() - 1];
            if last + old.len() >= self.text.len() {
                standing.starts = Rc::from([last]);
            }
        }
        let numbered: Vec<usize> = claimed.map(|line| self.context.new_starts(line)).into_iter().flatten().collect();
        match self.detect_applied(hunk, standing.as_ref(), &numbered)? {
            Applied::No => {}
            Applied::Named(start) => return Ok(Location::AlreadyApplied { start, is_named: true }),
            Applied::Unnamed(start) => return Ok(Location::AlreadyApplied { start, is_named: false }),
            Applied::Unclear { new, old } => {
                let message = message::either_place(new, old);
                return Ok(Location::Misfit(HunkMisfit::new(number, MisfitKind::Ambiguous, message)));
            }
        }
        let Some(standing) = standing else {
            let message = self.not_found(hunk, &old, claimed);
            return Ok(Location::Misfit(HunkMisfit::new(number, MisfitKind::NotFound, message)));
        };
        Ok(Location::Found(LocatedHunk { number, hunk, claimed, core: core(hunk), standing }))
    }

    /// Added lines without context go only where a trusted header says, or where there is no choice.
    fn by_header(&self, number: usize, hunk: &'a Hunk) -> Location<'a> {
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
        let standing = Occurrences { quality: MatchQuality::Exact, starts: Rc::from([start]) };
        Location::Found(LocatedHunk { number, hunk, claimed, core: (0, 0), standing })
    }

    /// Whether the lines of a hunk that changes nothing are in the file byte for byte: at its number, or in one place only that
    /// its number does not contradict.
    pub fn changes_nothing(&self, hunk: &'a Hunk) -> bool {
        let old = Needle::old(hunk);
        let Ok(Some(Occurrences { quality: MatchQuality::Exact, starts })) = self.standing(&old) else { return false };
        let claimed = hunk.old_start.map(line_index);
        claimed.is_some_and(|line| starts.contains(&line))
            || starts.len() == 1 && !claimed.is_some_and(|line| self.nearly_stands_at(&old, line))
    }

    /// Whether the `count` lines from `below` on are blank, as far as the file goes.
    pub fn is_blank_below(&self, below: usize, count: u32) -> bool {
        !self.text.rows.iter().skip(below).take(count as usize).any(|row| has_text(row.text))
    }

    /// All words of the file.
    fn words(&self) -> &HashSet<&'a [u8]> {
        self.words.get_or_init(|| self.text.rows.iter().flat_map(|row| typing_error::words(row.text)).collect())
    }

    /// For each line the end of the scope that it may head.
    fn outline(&self) -> &[u32] {
        self.outline.get_or_init(|| heading::outline(self.text))
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
