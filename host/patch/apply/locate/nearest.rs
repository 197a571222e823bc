//! The place of the file that is most like a hunk which does not fit, and how they differ.

use std::cmp::Reverse;
use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Locator;
use super::index::LineIndex;
use super::needle::Needle;
use crate::apply::text::{trim, trim_end};

/// A line that occurs more often than this does not help to find the nearest place.
const COMMON: usize = 64;

/// Lines of the file above and below the nearest place that may belong to it.
const SLACK: usize = 8;

/// Longer hunks are compared line by line with the nearest place, since comparing them costs the square of their length.
const ALIGNED: usize = 400;

/// The nearest place, and where the hunk differs from it, from top to bottom.
pub(super) struct Nearest {
    /// Index of its first line.
    pub start: usize,
    pub differences: Vec<NearestDifference>,
}

/// `line` is the offset of an old line of the hunk, `row` the index of a line of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NearestDifference {
    /// The hunk's line reads otherwise.
    Other { line: usize, row: usize },
    /// The hunk's line is not in the file there.
    Extra { line: usize },
    /// The hunk does not have the file's line.
    Missing { row: usize },
    /// The hunk's line lies beyond the end of the file.
    Beyond { line: usize },
}

impl Locator<'_> {
    /// None when the file has none of the lines.
    pub(super) fn nearest(&self, needle: &Needle) -> Option<Nearest> {
        let start = nearest_start(&self.index, needle)?;
        Some(if needle.len() > ALIGNED { self.side_by_side(needle, start) } else { self.aligned(needle, start) })
    }

    fn side_by_side(&self, needle: &Needle, start: usize) -> Nearest {
        let difference = |(at, line): (usize, &[u8])| match self.text.rows.get(start + at) {
            None => Some(NearestDifference::Beyond { line: at }),
            Some(row) if trim_end(row.text) == trim_end(line) => None,
            Some(_) => Some(NearestDifference::Other { line: at, row: start + at }),
        };
        Nearest { start, differences: needle.bytes().enumerate().filter_map(difference).collect() }
    }

    fn aligned(&self, needle: &Needle, near: usize) -> Nearest {
        let from = near.saturating_sub(SLACK);
        let to = (near + needle.len() + SLACK).min(self.text.len());
        let rows: Vec<&[u8]> = self.text.rows[from..to].iter().map(|row| trim(row.text)).collect();
        let lines: Vec<&[u8]> = needle.bytes().map(trim).collect();
        let parts = capture_diff_slices(Algorithm::Myers, &lines, &rows);
        let is_equal = |part: &DiffOp| matches!(part, DiffOp::Equal { .. });
        let Some(first) = parts.iter().position(is_equal) else { return self.side_by_side(needle, near) };
        let last = parts.iter().rposition(is_equal).unwrap_or(first);
        let (above, inner, below) = (&parts[..first], &parts[first..=last], &parts[last + 1..]);
        // Lines above the first that agrees stand right above it, those below the last right below it.
        let (head, top) = (parts[first].old_range().start, from + parts[first].new_range().start);
        let (tail, bottom) = (parts[last].old_range().end, from + parts[last].new_range().end);
        debug_assert!(above.iter().chain(below).all(|part| !is_equal(part)));
        let start = top.saturating_sub(head);
        let mut differences: Vec<NearestDifference> = (0..head)
            .map(|line| match (top + line).checked_sub(head) {
                Some(row) => NearestDifference::Other { line, row },
                None => NearestDifference::Extra { line },
            })
            .collect();
        for part in inner {
            let (old, new) = (part.old_range(), part.new_range());
            let pairs = old.len().min(new.len());
            if is_equal(part) {
                let pairs = old.zip(new.map(|row| from + row));
                let is_indented = |(line, row): &(usize, usize)| {
                    trim_end(needle.lines[*line].bytes) != trim_end(self.text.rows[*row].text)
                };
                differences.extend(pairs.filter(is_indented).map(|(line, row)| NearestDifference::Other { line, row }));
                continue;
            }
            let paired = old.clone().zip(new.clone());
            differences.extend(paired.map(|(line, row)| NearestDifference::Other { line, row: from + row }));
            differences.extend(old.skip(pairs).map(|line| NearestDifference::Extra { line }));
            differences.extend(new.skip(pairs).map(|row| NearestDifference::Missing { row: from + row }));
        }
        differences.extend((tail..needle.len()).map(|line| match bottom + line - tail {
            row if row < self.text.len() => NearestDifference::Other { line, row },
            _ => NearestDifference::Beyond { line },
        }));
        Nearest { start, differences }
    }
}

/// The start at which most lines of the needle match, the first of equals.
fn nearest_start(index: &LineIndex, needle: &Needle) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for common in [COMMON, usize::MAX] {
        for (at, line) in needle.bytes().enumerate() {
            let rows = index.rows_like(line);
            if rows.len() <= common {
                let starts = rows.iter().take(COMMON).filter_map(|row| (*row as usize).checked_sub(at));
                starts.for_each(|start| *votes.entry(start).or_default() += 1);
            }
        }
        if !votes.is_empty() {
            break;
        }
    }
    votes.into_iter().max_by_key(|(start, count)| (*count, Reverse(*start))).map(|(start, _)| start)
}
