//! A file's lines by their text, so that a hunk is looked for only where its rarest line occurs.

use std::cell::Cell;
use std::collections::HashMap;

use super::SearchBudgetExceeded;
use crate::apply::text::{Text, trim};

/// Comparisons of two lines that one file may cost. Only a file that repeats itself endlessly comes near: at about a
/// nanosecond each this is a quarter of a second.
const BUDGET: u64 = 1 << 28;

/// Lines with the same text, outer white space aside, have the same id.
pub struct LineIndex<'t> {
    pub(super) text: &'t Text<'t>,
    ids_by_text: HashMap<&'t [u8], u32>,
    /// The id of each line.
    pub(super) ids: Vec<u32>,
    /// Where `rows` begins for each id, and one past the end.
    first: Vec<u32>,
    /// Line indices, grouped by id.
    rows: Vec<u32>,
    budget: Cell<u64>,
}

impl<'t> LineIndex<'t> {
    /// `sanitize` bounds a text's bytes, so it has fewer than 2³² lines; a line beyond them would not be found, not misplaced.
    pub fn of(text: &'t Text<'t>) -> Self {
        let mut ids_by_text = HashMap::with_capacity(text.len());
        let ids: Vec<u32> = (text.rows.iter())
            .map(|row| {
                let next = ids_by_text.len() as u32;
                *ids_by_text.entry(trim(row.text)).or_insert(next)
            })
            .collect();
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
        LineIndex { text, ids_by_text, ids, first, rows, budget: Cell::new(BUDGET) }
    }

    /// None when no line of the file has this text.
    pub(super) fn id(&self, line: &[u8]) -> Option<u32> {
        self.ids_by_text.get(trim(line)).copied()
    }

    /// The indices of the lines with the text of `line`, outer white space aside.
    pub(super) fn rows_like(&self, line: &[u8]) -> &[u32] {
        self.id(line).map_or(&[], |id| self.rows_with(id))
    }

    pub(super) fn rows_with(&self, id: u32) -> &[u32] {
        &self.rows[self.first[id as usize] as usize..self.first[id as usize + 1] as usize]
    }

    pub(super) fn spend(&self, comparisons: u64) -> Result<(), SearchBudgetExceeded> {
        self.budget.set(self.budget.get().checked_sub(comparisons).ok_or(SearchBudgetExceeded)?);
        Ok(())
    }
}
