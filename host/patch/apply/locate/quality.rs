//! How well a line of a hunk matches a line of the file.

use super::needle::NeedleLine;
use crate::apply::text::{columns, margin, trim, trim_end};

/// How well a hunk matches at a position: its worst line, best first. Removed lines never match worse than `TrailingSpace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchQuality {
    /// Byte for byte; line endings are not part of a line.
    Exact,
    /// Only white space at line ends differs.
    TrailingSpace,
    /// Also tabs and blanks differ in the margin of context lines, all with one tab width.
    Tabs,
    /// One context line differs in its text.
    Misquoted,
}

/// None when the lines differ in more than white space. `widths`: the tab widths that explain all margins so far, as
/// [`tab_widths`] gives them.
pub(super) fn line_quality(row: &[u8], line: &NeedleLine, widths: &mut u8) -> Option<MatchQuality> {
    if row == line.bytes {
        return Some(MatchQuality::Exact);
    }
    if trim_end(row) == trim_end(line.bytes) {
        return Some(MatchQuality::TrailingSpace);
    }
    let explained = *widths & tab_widths(margin(row), margin(line.bytes));
    if !line.is_context || explained == 0 || trim(row) != trim(line.bytes) {
        return None;
    }
    *widths = explained;
    Some(MatchQuality::Tabs)
}

/// The tab widths with which two margins, one of them with tabs, are equally wide: bit n is width n + 1.
pub fn tab_widths(a: &[u8], b: &[u8]) -> u8 {
    if !a.contains(&b'\t') && !b.contains(&b'\t') {
        return 0;
    }
    (0..8).filter(|bit| columns(a, bit + 1) == columns(b, bit + 1)).map(|bit| 1 << bit).sum()
}
