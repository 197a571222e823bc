//! Every position of a file where the old (or new) lines of a hunk match, and how well.

use super::SearchBudgetExceeded;
use super::index::LineIndex;
use super::needle::{Needle, NeedleLine};
use super::quality::{MatchQuality, line_quality};
use crate::apply::text::{has_substance, trim};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Index of the first line, from 0.
    pub start: usize,
    pub quality: MatchQuality,
}

/// Which lines of a needle may differ from the file's in more than white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tolerance {
    None,
    OneContext,
    /// To find near misses, never to place.
    OneOfAny,
}

impl Tolerance {
    /// How many lines may differ.
    fn lines(self) -> usize {
        usize::from(self != Tolerance::None)
    }

    fn covers(self, line: &NeedleLine) -> bool {
        match self {
            Tolerance::None => false,
            Tolerance::OneContext => line.is_context,
            Tolerance::OneOfAny => true,
        }
    }
}

impl LineIndex<'_> {
    /// Every position where the needle matches, in the order of the file. Positions with a misquoted line are searched only
    /// when there is no better one, and need two other matching lines of substance; one is enough at the line that the
    /// header claims.
    pub fn positions(&self, needle: &Needle, claimed: Option<usize>) -> Result<Vec<Position>, SearchBudgetExceeded> {
        let positions = self.search(needle, Tolerance::None)?;
        if !positions.is_empty() {
            return Ok(positions);
        }
        let mut positions = self.search(needle, Tolerance::OneContext)?;
        positions.retain(|position| {
            let rows = self.text.rows[position.start..].iter().map(|row| trim(row.text));
            let matching =
                rows.zip(needle.bytes()).filter(|(row, line)| *row == trim(line) && has_substance(line)).count();
            matching >= 2 || matching == 1 && claimed == Some(position.start)
        });
        Ok(positions)
    }

    /// Whether the needle matches at `start`, no worse than `worst`.
    pub(super) fn matches_at(&self, needle: &Needle, start: usize, worst: MatchQuality) -> bool {
        start + needle.len() <= self.text.len()
            && self.quality_at(needle, start, Tolerance::None).is_some_and(|quality| quality <= worst)
    }

    /// The positions where the needle would match if one line, of any kind, were another.
    pub(super) fn near_misses(&self, needle: &Needle) -> Result<Vec<Position>, SearchBudgetExceeded> {
        self.search(needle, Tolerance::OneOfAny)
    }

    fn search(&self, needle: &Needle, tolerance: Tolerance) -> Result<Vec<Position>, SearchBudgetExceeded> {
        let ids: Vec<Option<u32>> = needle.lines.iter().map(|line| self.id(line.bytes)).collect();
        let mut unknown_lines = ids.iter().zip(&needle.lines).filter(|(id, _)| id.is_none()).map(|(_, line)| line);
        let unknown = unknown_lines.clone().count();
        if unknown > tolerance.lines() || !unknown_lines.all(|line| tolerance.covers(line)) {
            return Ok(Vec::new());
        }
        // Of two lines at most one may differ, so every position has one of the two rarest; and if an unknown line differs
        // already, every position has all the others.
        let mut rarest: Vec<(usize, u32)> = ids.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?))).collect();
        rarest.sort_by_key(|(at, id)| (self.rows_with(*id).len(), *at));
        rarest.truncate(if tolerance == Tolerance::None || unknown == 1 { 1 } else { 2 });

        let mut starts: Vec<usize> = (rarest.iter())
            .flat_map(|(at, id)| self.rows_with(*id).iter().filter_map(|row| (*row as usize).checked_sub(*at)))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let mut positions = Vec::new();
        for start in starts {
            if self.may_match(&ids, start, tolerance)?
                && let Some(quality) = self.quality_at(needle, start, tolerance)
            {
                positions.push(Position { start, quality });
            }
        }
        Ok(positions)
    }

    /// Compares ids alone, which is cheap and rules out most starts.
    fn may_match(&self, ids: &[Option<u32>], start: usize, tolerance: Tolerance) -> Result<bool, SearchBudgetExceeded> {
        // A misquoted last line may lie beyond the file's end: models add an empty one there.
        if start + ids.len() > self.ids.len() + tolerance.lines() {
            return Ok(false);
        }
        let mut misses = 0;
        for (at, id) in ids.iter().enumerate() {
            misses += usize::from(self.ids.get(start + at) != id.as_ref());
            if misses > tolerance.lines() {
                self.spend(at as u64 + 1)?;
                return Ok(false);
            }
        }
        self.spend(ids.len() as u64)?;
        Ok(true)
    }

    fn quality_at(&self, needle: &Needle, start: usize, tolerance: Tolerance) -> Option<MatchQuality> {
        let mut quality = MatchQuality::Exact;
        let mut widths = u8::MAX;
        let mut differs = false;
        for (at, line) in needle.lines.iter().enumerate() {
            let row = self.text.rows.get(start + at).map(|row| row.text);
            match row.and_then(|row| line_quality(row, line, &mut widths)) {
                Some(one) => quality = quality.max(one),
                None if differs || !tolerance.covers(line) => return None,
                None => differs = true,
            }
        }
        Some(if differs { MatchQuality::Misquoted } else { quality })
    }
}
