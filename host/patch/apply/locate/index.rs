//! A file's lines by their text, so that a hunk is looked for only where its rarest line occurs.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::SearchBudgetExceeded;
use super::needle::Needle;
use super::pattern::{Hit, hit_at, hits};
use crate::apply::text::{Text, trim};

/// Comparisons of two lines, and places kept, that one file may cost. Only a file that repeats itself endlessly comes near: at
/// about a nanosecond each this is a quarter of a second.
const BUDGET: u64 = 1 << 28;

/// What one place that is kept costs of the budget: it takes eight bytes until the file is done.
const KEPT: u64 = 16;

/// Where the rarest line of a needle has more places than this, all of the file is searched at once.
const FEW: usize = 64;

/// A line that the file does not have.
const UNKNOWN: u32 = u32::MAX;

/// Lines with the same text, outer white space aside, have the same id.
pub struct LineIndex<'t> {
    pub(super) text: &'t Text<'t>,
    ids_by_text: HashMap<&'t [u8], u32>,
    /// The id of each line.
    ids: Vec<u32>,
    /// Where `rows` begins for each id, and one past the end.
    first: Vec<u32>,
    /// Line indices, grouped by id.
    rows: Vec<u32>,
    /// The ids of all texts, in the order of these texts.
    sorted: OnceCell<Vec<(&'t [u8], u32)>>,
    /// The lines again, told apart byte for byte.
    exact: OnceCell<Numbered<'t>>,
    budget: Cell<u64>,
}

/// The id of each line, and of each text.
type Numbered<'t> = (Vec<u32>, HashMap<&'t [u8], u32>);

impl<'t> LineIndex<'t> {
    /// `sanitize` bounds a text's bytes, so it has fewer than 2³² lines; a line beyond them would not be found, not misplaced.
    pub fn new(text: &'t Text<'t>) -> Self {
        let (ids, ids_by_text) = numbered(text.rows.iter().map(|row| trim(row.text)));
        let mut first = vec![0u32; ids_by_text.len() + 1];
        ids.iter().for_each(|id| first[*id as usize + 1] += 1);
        for id in 1..first.len() {
            first[id] += first[id - 1];
        }
        let mut free = first.clone();
        let mut rows = vec![0u32; ids.len()];
        for (row, id) in ids.iter().enumerate() {
            rows[free[*id as usize] as usize] = row as u32;
            free[*id as usize] += 1;
        }
        let budget = Cell::new(BUDGET);
        LineIndex { text, ids_by_text, ids, first, rows, sorted: OnceCell::new(), exact: OnceCell::new(), budget }
    }

    /// The indices of the lines with the text of `line`, outer white space aside.
    pub fn rows_like(&self, line: &[u8]) -> &[u32] {
        self.ids_by_text.get(trim(line)).map_or(&[], |id| self.rows_with(*id))
    }

    /// The indices of the lines that begin with `prefix`, outer white space aside, in order.
    pub fn rows_beginning_with(&self, prefix: &[u8]) -> Vec<usize> {
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted: Vec<_> = self.ids_by_text.iter().map(|(text, id)| (*text, *id)).collect();
            sorted.sort_unstable();
            sorted
        });
        let from = sorted.partition_point(|(text, _)| *text < prefix);
        let like = sorted[from..].iter().take_while(|(text, _)| text.starts_with(prefix));
        let mut rows: Vec<usize> = like.flat_map(|(_, id)| self.rows_with(*id)).map(|row| *row as usize).collect();
        rows.sort_unstable();
        rows
    }

    /// Where the needle's lines stand, outer white space aside; `one_off`: also where one line would have to be another.
    pub(super) fn hits(&self, needle: &Needle, one_off: bool) -> Result<Vec<Hit>, SearchBudgetExceeded> {
        let ids = self.ids_of(needle);
        let unknown = ids.iter().filter(|id| **id == UNKNOWN).count();
        if unknown > usize::from(one_off) {
            return Ok(Vec::new());
        }
        // Of two lines at most one may differ, so every place has one of the two rarest; and if an unknown line differs already,
        // every place has all the others.
        let mut rarest: Vec<(usize, &[u32])> = ids
            .iter()
            .enumerate()
            .filter(|(_, id)| **id != UNKNOWN)
            .map(|(at, id)| (at, self.rows_with(*id)))
            .collect();
        rarest.sort_by_key(|(at, rows)| (rows.len(), *at));
        rarest.truncate(if one_off && unknown == 0 { 2 } else { 1 });
        if rarest.iter().map(|(_, rows)| rows.len()).sum::<usize>() > FEW {
            self.spend((ids.len() + self.ids.len()) as u64)?;
            let found = hits(&ids, &self.ids, one_off);
            self.spend(found.len() as u64 * KEPT)?;
            return Ok(found);
        }
        let mut starts: Vec<usize> = rarest
            .iter()
            .flat_map(|(at, rows)| rows.iter().filter_map(|row| (*row as usize).checked_sub(*at)))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        self.spend((starts.len() * ids.len()) as u64)?;
        Ok(starts.into_iter().filter_map(|start| hit_at(&ids, &self.ids, start, one_off)).collect())
    }

    /// The starts at which the needle's lines stand byte for byte.
    pub(super) fn exact_starts(&self, needle: &Needle) -> Result<Vec<usize>, SearchBudgetExceeded> {
        self.spend((needle.len() + self.ids.len()) as u64)?;
        let (ids, known) = self.exact.get_or_init(|| numbered(self.text.rows.iter().map(|row| row.text)));
        let pattern: Vec<u32> = needle.bytes().map(|line| known.get(line).copied().unwrap_or(UNKNOWN)).collect();
        Ok(hits(&pattern, ids, false).into_iter().map(|hit| hit.start).collect())
    }

    /// The offsets of the needle's lines that the file has at `start` plus that offset, outer white space aside.
    pub(super) fn agreeing<'n>(&'n self, needle: &'n Needle, start: usize) -> impl Iterator<Item = usize> + 'n {
        let rows = self.text.rows[start.min(self.text.len())..].iter().map(|row| trim(row.text));
        needle.bytes().zip(rows).enumerate().filter(|(_, (line, row))| trim(line) == *row).map(|(at, _)| at)
    }

    pub(super) fn spend(&self, comparisons: u64) -> Result<(), SearchBudgetExceeded> {
        self.budget.set(self.budget.get().checked_sub(comparisons).ok_or(SearchBudgetExceeded)?);
        Ok(())
    }

    fn ids_of(&self, needle: &Needle) -> Vec<u32> {
        needle.bytes().map(|line| self.ids_by_text.get(trim(line)).copied().unwrap_or(UNKNOWN)).collect()
    }

    fn rows_with(&self, id: u32) -> &[u32] {
        &self.rows[self.first[id as usize] as usize..self.first[id as usize + 1] as usize]
    }
}

/// An id for each text, equal for equal texts.
fn numbered<'t>(texts: impl ExactSizeIterator<Item = &'t [u8]>) -> Numbered<'t> {
    let mut known = HashMap::with_capacity(texts.len());
    let ids = texts
        .map(|text| {
            let next = known.len() as u32;
            *known.entry(text).or_insert(next)
        })
        .collect();
    (ids, known)
}
