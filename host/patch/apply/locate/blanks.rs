//! Hunks whose context has other white space than the file: a blank line more or less, or no margins. Models lose both, and they
//! seldom tell places apart.

use super::index::LineIndex;
use super::needle::Needle;
use super::pattern::Hit;
use crate::apply::text::{Row, Text, has_substance, has_text, margin, trim_end};
use guardhost_core::change::{Hunk, Line};

/// A text, and the same text without its blank lines.
pub struct BlankLines<'t> {
    all: LineIndex<'t>,
    filled: LineIndex<'t>,
    /// Which line of the text each line of `filled` is.
    rows: &'t [usize],
}

/// The lines of a text that are not blank, and where each of them is.
pub fn filled<'t>(text: &Text<'t>) -> (Text<'t>, Vec<usize>) {
    let filled = text.rows.iter().enumerate().filter(|(_, row)| has_text(row.text));
    let (at, rows) = filled.map(|(at, row)| (at, *row)).unzip();
    (Text { rows }, at)
}

impl<'t> BlankLines<'t> {
    /// `filled` and `rows` as [`filled`] gives them.
    pub fn new(all: &'t Text<'t>, filled: &'t Text<'t>, rows: &'t [usize]) -> Self {
        BlankLines { all: LineIndex::new(all), filled: LineIndex::new(filled), rows }
    }

    /// The rows of the only place that has the lines, margins aside, and all below them.
    pub(super) fn only_place(&self, needle: &Needle) -> Option<&[Row<'t>]> {
        match self.all.hits(needle, false).ok()?[..] {
            [hit] => self.all.text.rows.get(hit.start..),
            _ => None,
        }
    }

    /// The hunk with the file's blank lines in the gaps of its context, where that makes it fit: all its other lines stand together
    /// in one place only, no other place has all old lines but for one, and no line is changed in such a gap, so that the place of
    /// each change is clear.
    pub fn repaired(&self, hunk: &Hunk) -> Option<Hunk> {
        if !is_change(hunk) {
            return None;
        }
        let old = Needle::old(hunk);
        let is_filled = |line: &&Line| line.is_old() && has_text(line.bytes());
        let needle = Needle::from_lines(hunk.lines.iter().filter(is_filled));
        if needle.bytes().filter(|line| has_substance(line)).count() < 2 {
            return None;
        }
        let [hit] = self.filled.hits(&needle, false).ok()?[..] else { return None };
        let rows = &self.rows[hit.start..hit.start + needle.len()];
        // A place where all old lines stand but for one says the same of each of the others, or is another place, also where the two overlap.
        let is_other = |near: &Hit| {
            let filled = old.lines.iter().enumerate().filter(|(_, line)| has_text(line.bytes));
            filled.zip(rows).any(|((at, _), row)| near.off != Some(at) && near.start + at != *row)
        };
        if self.all.hits(&old, true).ok()?.iter().any(is_other) {
            return None;
        }
        let same = |(line, row): (&[u8], &usize)| trim_end(line) == trim_end(self.all.text.rows[*row].text);
        if !needle.bytes().zip(rows).all(same) {
            return None;
        }
        let filled: Vec<usize> = (0..hunk.lines.len()).filter(|at| is_filled(&&hunk.lines[*at])).collect();
        let mut lines = hunk.lines[..=*filled.first()?].to_vec();
        let mut is_mended = false;
        for (pair, rows) in filled.windows(2).zip(rows.windows(2)) {
            let gap = &hunk.lines[pair[0] + 1..pair[1]];
            let wanted = rows[1] - rows[0] - 1;
            if gap.iter().filter(|line| line.is_old()).count() == wanted {
                lines.extend_from_slice(gap);
            } else if gap.iter().all(|line| matches!(line, Line::Context(_))) {
                is_mended = true;
                lines.extend(std::iter::repeat_n(Line::Context(Vec::new()), wanted));
            } else {
                // Among changed lines it would not be clear where the blank ones belong.
                return None;
            }
            lines.push(hunk.lines[pair[1]].clone());
        }
        lines.extend_from_slice(&hunk.lines[*filled.last()? + 1..]);
        is_mended.then(|| Hunk { lines, ..hunk.clone() })
    }

    /// The hunk without a blank line of context that it begins with, where the file has another line: its other lines stand in one
    /// place only, and the change is not next to the blank line. Models put one below a marker.
    pub fn without_edge(&self, hunk: &Hunk) -> Option<Hunk> {
        let (Some(Line::Context(first)), Some(Line::Context(_))) = (hunk.lines.first(), hunk.lines.get(1)) else {
            return None;
        };
        if has_text(first) || !is_change(hunk) {
            return None;
        }
        let lines = hunk.lines[1..].to_vec();
        let rest = Needle::from_lines(lines.iter().filter(|line| line.is_old()));
        let [hit] = self.all.hits(&rest, false).ok()?[..] else { return None };
        let is_other = |near: &Hit| near.start + 1 != hit.start;
        if rest.bytes().filter(|line| has_substance(line)).count() < 2
            || self.all.hits(&Needle::old(hunk), true).ok()?.iter().any(is_other)
        {
            return None;
        }
        Some(Hunk { lines, old_start: hunk.old_start.map(|line| line.saturating_add(1)), ..hunk.clone() })
    }

    /// The hunk with the file's margins of its context, which has none itself, where its removed lines have theirs: the margins of
    /// its added lines are then meant. The same holds if the file's margins are unlike one another, so that the hunk as a whole
    /// cannot have been moved to the left, and the added lines have margins.
    pub fn with_margins(&self, hunk: &Hunk) -> Option<Hunk> {
        let old = Needle::old(hunk);
        let [hit] = self.all.hits(&old, false).ok()?[..] else { return None };
        let texts = |hunk: &'_ Hunk, sort: fn(&Line) -> bool| -> Vec<Vec<u8>> {
            let lines = hunk.lines.iter().filter(|line| has_text(line.bytes()) && sort(line));
            lines.map(|line| margin(line.bytes()).to_vec()).collect()
        };
        let is_context: fn(&Line) -> bool = |line| matches!(line, Line::Context(_));
        let added = texts(hunk, |line| matches!(line, Line::Add(_)));
        let removed = texts(hunk, |line| matches!(line, Line::Remove(_)));
        if !is_change(hunk) || texts(hunk, is_context).iter().any(|margin| !margin.is_empty()) {
            return None;
        }
        let mut lines = Vec::with_capacity(hunk.lines.len());
        let mut margins = Vec::new();
        let mut row = hit.start;
        for line in &hunk.lines {
            let own = self.all.text.rows.get(row).map_or(&b""[..], |row| row.text);
            lines.push(match line {
                Line::Context(text) if has_text(text) => {
                    margins.push(margin(own));
                    Line::Context(own.to_vec())
                }
                Line::Remove(text) if has_text(text) && trim_end(text) != trim_end(own) => return None,
                line => line.clone(),
            });
            row += usize::from(line.is_old());
        }
        // Two lines or more have lost theirs: of one alone it may be the change.
        if margins.iter().filter(|margin| !margin.is_empty()).count() < 2 {
            return None;
        }
        let has_margins = |of: &[Vec<u8>]| !of.is_empty() && of.iter().all(|margin| !margin.is_empty());
        let least = margins.iter().min_by_key(|margin| margin.len())?;
        let is_uneven = margins.iter().any(|margin| margin != least);
        let is_meant = removed.iter().any(|margin| !margin.is_empty())
            || removed.is_empty() && is_uneven && has_margins(&added) && added.iter().all(|own| own.starts_with(least));
        is_meant.then(|| Hunk { lines, ..hunk.clone() })
    }
}

fn is_change(hunk: &Hunk) -> bool {
    hunk.lines.iter().any(|line| !matches!(line, Line::Context(_)))
}
