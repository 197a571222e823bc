//! Where the old (or new) lines of a hunk stand in the file, and how well.

use std::rc::Rc;

use super::needle::Needle;
use super::pattern::Hit;
use super::quality::{MatchQuality, can_shift, is_blank_unclear, may_be_sign, quality_at, shift};
use super::{Locator, SearchBudgetExceeded};
use guardhost_core::change::Hunk;

/// Where all lines of a needle stand, each place as good as the others.
#[derive(Debug, Clone)]
pub struct Occurrences {
    pub quality: MatchQuality,
    /// Indices of the first line, in order; never empty.
    pub starts: Rc<[usize]>,
}

/// More places than this are compared all at once, for exact ones.
const FEW: usize = 64;

impl<'a> Locator<'a> {
    /// The places with the best quality, no worse than [`MatchQuality::Tabs`].
    pub(super) fn standing(&self, needle: &Needle<'a>) -> Result<Option<Occurrences>, SearchBudgetExceeded> {
        if let Some(known) = self.known.borrow().get(&needle.lines) {
            return Ok(known.clone());
        }
        let standing = self.best(needle)?;
        self.known.borrow_mut().insert(needle.lines.clone(), standing.clone());
        Ok(standing)
    }

    fn best(&self, needle: &Needle) -> Result<Option<Occurrences>, SearchBudgetExceeded> {
        let hits = self.index.hits(needle, false)?;
        if hits.len() > FEW {
            let exact = self.index.exact_starts(needle)?;
            if !exact.is_empty() {
                return Ok(Some(Occurrences { quality: MatchQuality::Exact, starts: exact.into() }));
            }
        }
        self.index.spend((hits.len() * needle.len()) as u64)?;
        let grade = |hit: &Hit| Some((hit.start, quality_at(self.text, needle, hit.start, None)?));
        let graded: Vec<(usize, MatchQuality)> = hits.iter().filter_map(grade).collect();
        let best = graded.iter().map(|(_, quality)| *quality).min();
        Ok(best.map(|best| Occurrences {
            quality: best,
            starts: graded.iter().filter(|(_, quality)| *quality == best).map(|(start, _)| *start).collect(),
        }))
    }

    /// Tabs in all margins may be one uniform shift too, by blanks before them; then added lines are shifted with the rest.
    /// None where the shift may be of the context alone.
    pub(super) fn as_shifted(&self, hunk: &Hunk, old: &Needle, standing: Occurrences) -> Option<Occurrences> {
        let [start] = standing.starts[..] else { return Some(standing) };
        if standing.quality != MatchQuality::Tabs {
            return Some(standing);
        }
        let rows = self.text.rows[start..].iter().map(|row| row.text);
        let quality = match shift(old.bytes().zip(rows)) {
            Some(shift) if may_be_sign(hunk, shift) => return None,
            Some(shift) if can_shift(hunk, shift) => MatchQuality::Shifted,
            Some(_) | None => MatchQuality::Tabs,
        };
        Some(Occurrences { quality, ..standing })
    }

    /// The place of a hunk whose old lines stand nowhere as they are: the only one that has all of them but for one uniform shift
    /// of their margins, or but for one misquoted line of context.
    pub(super) fn inexact(
        &self,
        hunk: &'a Hunk,
        old: &Needle<'a>,
    ) -> Result<Option<Occurrences>, SearchBudgetExceeded> {
        let only = |quality, start| Some(Occurrences { quality, starts: Rc::from([start]) });
        Ok(match self.index.hits(old, false)?[..] {
            [] => self.misquoted(hunk, old)?.and_then(|start| only(MatchQuality::Misquoted, start)),
            [Hit { start, .. }] => {
                let rows = self.text.rows[start..].iter().map(|row| row.text);
                match shift(old.bytes().zip(rows.clone())) {
                    Some(shift) => {
                        (can_shift(hunk, shift) && !may_be_sign(hunk, shift) && !is_blank_unclear(hunk, rows))
                            .then(|| only(MatchQuality::Shifted, start))
                            .flatten()
                    }
                    None => {
                        self.may_keep_margin(hunk, old, start).then(|| only(MatchQuality::Misquoted, start)).flatten()
                    }
                }
            }
            _ => None,
        })
    }

    /// Whether the needle stands at `start`, no worse than `worst`.
    pub(super) fn stands_at(&self, needle: &Needle, start: usize, worst: MatchQuality) -> bool {
        start + needle.len() <= self.text.len()
            && self.index.agreeing(needle, start).count() == needle.len()
            && quality_at(self.text, needle, start, None).is_some_and(|quality| quality <= worst)
    }

    /// Whether the file has all but one of the needle's lines at `start`, one at least: what points there means it.
    pub fn nearly_stands_at(&self, needle: &Needle, start: usize) -> bool {
        needle.len() > 1 && self.index.agreeing(needle, start).count() + 1 >= needle.len()
    }

    /// The starts at which all but one of the needle's lines stand, the misquoted one being of any kind.
    pub fn near_misses(&self, needle: &Needle) -> Result<Vec<usize>, SearchBudgetExceeded> {
        Ok(self.index.hits(needle, true)?.into_iter().map(|hit| hit.start).collect())
    }
}
