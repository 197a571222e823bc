//! Indentation of added lines, where file and patch differ in tabs and blanks throughout.

use std::borrow::Cow;

use crate::apply::locate::tab_widths;
use crate::apply::text::{Text, columns, margin, trim};
use guardhost_core::change::Hunk;

/// What is done to the margins of added lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Margins {
    Kept,
    /// The file indents with tabs of this width, the patch with blanks.
    Tabs {
        width: usize,
    },
    /// The file indents with blanks, the patch with tabs of this width.
    Blanks {
        width: usize,
    },
}

impl Margins {
    pub fn of(text: &Text, hunk: &Hunk, start: usize) -> Self {
        let tabbed = |line: &[u8]| margin(line).contains(&b'\t');
        let pairs: Vec<(&[u8], &[u8])> = (hunk.lines.iter().filter(|line| line.is_old()))
            .zip(text.rows.iter().skip(start))
            .filter(|(line, _)| !trim(line.bytes()).is_empty())
            .map(|(line, row)| (margin(row.text), margin(line.bytes())))
            .filter(|(row, line)| !row.is_empty() || !line.is_empty())
            .collect();
        let widths = pairs.iter().fold(u8::MAX, |widths, (row, line)| widths & tab_widths(row, line));
        let width = widths.trailing_zeros() as usize + 1;
        // If one margin agrees, the added lines may be meant as they are.
        if pairs.is_empty() || widths == 0 || pairs.iter().any(|(row, line)| row == line) {
            Margins::Kept
        } else if hunk.lines.iter().all(|line| !tabbed(line.bytes())) {
            Margins::Tabs { width }
        } else if pairs.iter().all(|(row, _)| !row.contains(&b'\t')) {
            Margins::Blanks { width }
        } else {
            Margins::Kept
        }
    }

    pub fn convert(self, line: &[u8]) -> Cow<'_, [u8]> {
        let own = margin(line);
        let (tabs, blanks) = match self {
            Margins::Kept => return Cow::Borrowed(line),
            Margins::Tabs { width } => (columns(own, width) / width, columns(own, width) % width),
            Margins::Blanks { width } => (0, columns(own, width)),
        };
        let mut converted = vec![b'\t'; tabs];
        converted.resize(tabs + blanks, b' ');
        converted.extend_from_slice(&line[own.len()..]);
        Cow::Owned(converted)
    }
}
