//! Hunks whose context has a blank line more than the file, or less. Models lose them, and they seldom tell places apart.

use super::index::LineIndex;
use super::needle::Needle;
use crate::apply::text::{Text, has_substance, has_text, trim_end};
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
    pub fn of(all: &'t Text<'t>, filled: &'t Text<'t>, rows: &'t [usize]) -> Self {
        BlankLines { all: LineIndex::of(all), filled: LineIndex::of(filled), rows }
    }

    /// The hunk with the file's blank lines in one gap of its context, where that makes it fit: all its other lines stand together
    /// in one place only, no place has all of them but for one, and no line is added in the gap, so that its place is clear.
    pub fn mended(&self, hunk: &Hunk) -> Option<Hunk> {
        if hunk.lines.iter().all(|line| matches!(line, Line::Context(_))) {
            return None;
        }
        let old = Needle::old(hunk);
        let is_filled = |line: &&Line| line.is_old() && has_text(line.bytes());
        let needle = Needle::of(hunk.lines.iter().filter(is_filled));
        if needle.bytes().filter(|line| has_substance(line)).count() < 2 || !self.all.hits(&old, true).ok()?.is_empty()
        {
            return None;
        }
        let [hit] = self.filled.hits(&needle, false).ok()?[..] else { return None };
        let rows = &self.rows[hit.start..hit.start + needle.len()];
        let same = |(line, row): (&[u8], &usize)| trim_end(line) == trim_end(self.all.text.rows[*row].text);
        if !needle.bytes().zip(rows).all(same) {
            return None;
        }
        let filled: Vec<usize> = (0..hunk.lines.len()).filter(|at| is_filled(&&hunk.lines[*at])).collect();
        let mut other = filled.windows(2).zip(rows.windows(2)).filter_map(|(lines, rows)| {
            let gap = lines[0] + 1..lines[1];
            let wanted = rows[1] - rows[0] - 1;
            let has = hunk.lines[gap.clone()].iter().filter(|line| line.is_old()).count();
            (has != wanted).then_some((gap, wanted))
        });
        let (gap, wanted) = other.next()?;
        if other.next().is_some() {
            return None;
        }
        // Among added lines it would not be clear where the blank ones belong.
        if !hunk.lines[gap.clone()].iter().all(|line| matches!(line, Line::Context(_))) {
            return None;
        }
        let blanks = std::iter::repeat_n(Line::Context(Vec::new()), wanted);
        let lines = hunk.lines[..gap.start].iter().cloned().chain(blanks).chain(hunk.lines[gap.end..].iter().cloned());
        Some(Hunk { lines: lines.collect(), ..hunk.clone() })
    }
}
