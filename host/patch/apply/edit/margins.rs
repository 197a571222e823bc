//! Indentation of added lines, where file and patch differ in tabs and blanks throughout, or by one shift of all lines.

use std::borrow::Cow;

use crate::apply::locate::{MatchQuality, Shift, shift, tab_widths};
use crate::apply::text::{Text, columns, margin, trim, without_cr};
use guardhost_core::change::Hunk;

/// What is done to the margins of added lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Margins<'t> {
    Kept,
    /// All lines of the patch are indented by the same more, or less, than the file's.
    Shifted(Shift<'t>),
    /// The file indents with tabs of this width, the patch with blanks.
    Tabs {
        width: usize,
    },
    /// The file indents with blanks, the patch with tabs of this width.
    Blanks {
        width: usize,
    },
}

impl<'t> Margins<'t> {
    pub fn new(text: &Text<'t>, hunk: &'t Hunk, start: usize, quality: MatchQuality) -> Self {
        if quality == MatchQuality::Shifted {
            let old = hunk.lines.iter().filter(|line| line.is_old()).map(|line| without_cr(line.bytes()));
            let rows = text.rows.iter().skip(start).map(|row| row.text);
            return shift(old.zip(rows)).map_or(Margins::Kept, Margins::Shifted);
        }
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

    pub fn convert<'l>(self, line: &'l [u8]) -> Cow<'l, [u8]> {
        let own = margin(line);
        let (tabs, blanks) = match self {
            Margins::Kept => return Cow::Borrowed(line),
            Margins::Shifted(_) if line.is_empty() => return Cow::Borrowed(line),
            Margins::Shifted(Shift::Deeper(more)) => return Cow::Owned([more, line].concat()),
            Margins::Shifted(Shift::Shallower(less)) => {
                return Cow::Borrowed(line.strip_prefix(less).unwrap_or(line));
            }
            Margins::Tabs { width } => (columns(own, width) / width, columns(own, width) % width),
            Margins::Blanks { width } => (0, columns(own, width)),
        };
        let mut converted = vec![b'\t'; tabs];
        converted.resize(tabs + blanks, b' ');
        converted.extend_from_slice(&line[own.len()..]);
        Cow::Owned(converted)
    }
}
