//! How well the lines of a hunk match the lines of the file at one place.

use super::needle::{Needle, NeedleLine};
use crate::apply::text::{Text, columns, has_text, margin, trim, trim_end};
use guardhost_core::change::{Hunk, Line};

/// How well a hunk matches at a position: its worst line, best first. Removed lines match no worse than `TrailingSpace`, unless
/// the whole hunk is indented otherwise than the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchQuality {
    /// Byte for byte; line endings are not part of a line.
    Exact,
    /// Only white space at line ends differs.
    TrailingSpace,
    /// Also tabs and blanks differ in the margin of context lines, all with one tab width.
    Tabs,
    /// All lines are indented by the same white space more, or less, than the file's.
    Shifted,
    /// One context line differs in its text.
    Misquoted,
}

impl MatchQuality {
    /// Every line is the file's, but for white space.
    pub fn has_every_line(self) -> bool {
        self < MatchQuality::Misquoted
    }

    pub fn is_verbatim(self) -> bool {
        self <= MatchQuality::TrailingSpace
    }
}

/// None when a line differs from the file's in more than [`MatchQuality::Tabs`] allows. The line at the offset `but` may be any.
pub(super) fn quality_at(text: &Text, needle: &Needle, start: usize, but: Option<usize>) -> Option<MatchQuality> {
    let mut quality = MatchQuality::Exact;
    let mut widths = u8::MAX;
    let pairs = needle.lines.iter().zip(&text.rows[start..]).enumerate();
    for (_, (line, row)) in pairs.filter(|(at, _)| Some(*at) != but) {
        quality = quality.max(line_quality(row.text, line, &mut widths)?);
    }
    Some(quality)
}

/// The offset of the only line whose margin is not the file's, if it is context.
pub(super) fn only_other_margin(text: &Text, needle: &Needle, start: usize) -> Option<usize> {
    let differs = |(line, row): (&NeedleLine, &[u8])| trim_end(line.bytes) != trim_end(row);
    let rows = text.rows[start..].iter().map(|row| row.text);
    let mut different = needle.lines.iter().zip(rows).enumerate().filter(|(_, pair)| differs(*pair));
    let (at, (line, _)) = different.next()?;
    (different.next().is_none() && line.is_context).then_some(at)
}

/// None when the lines differ in more than white space. `widths`: the tab widths that explain all margins so far, as
/// [`tab_widths`] gives them.
fn line_quality(row: &[u8], line: &NeedleLine, widths: &mut u8) -> Option<MatchQuality> {
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

/// White space by which the file's margins differ from a hunk's, the same for every line that is not blank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shift<'t> {
    /// The file has it before each margin of the hunk.
    Deeper(&'t [u8]),
    /// The hunk has it before each margin of the file.
    Shallower(&'t [u8]),
}

/// The shift that explains all pairs of the hunk's old lines and the file's; None when there is none, or nothing to shift.
pub fn shift<'t>(pairs: impl Iterator<Item = (&'t [u8], &'t [u8])>) -> Option<Shift<'t>> {
    let mut found = None;
    for (line, row) in pairs.filter(|(line, _)| has_text(line)) {
        let (line, row) = (margin(line), margin(row));
        let shift = match (row.strip_suffix(line), line.strip_suffix(row)) {
            (Some(b""), _) => return None,
            (Some(more), _) => Shift::Deeper(more),
            (None, Some(more)) => Shift::Shallower(more),
            (None, None) => return None,
        };
        if *found.get_or_insert(shift) != shift {
            return None;
        }
    }
    found
}

/// Whether the added lines can be shifted as the old ones are. One old line alone may have lost its own margin only, unless the
/// added ones have lost it too: the first has none either, and none of them has as much as the file's.
pub(super) fn can_shift(hunk: &Hunk, shift: Shift) -> bool {
    let texts = |line: &&Line| has_text(line.bytes());
    let old = hunk.lines.iter().filter(|line| line.is_old()).filter(texts).count();
    let mut added = hunk.lines.iter().filter(|line| !line.is_old()).filter(texts);
    match shift {
        Shift::Deeper(more) if old == 1 => {
            let is_first_bare = added.clone().next().is_some_and(|line| margin(line.bytes()).is_empty());
            is_first_bare && added.all(|line| !line.bytes().starts_with(more))
        }
        Shift::Deeper(more) => !may_be_whole(hunk, more),
        Shift::Shallower(less) => old > 1 && added.all(|line| line.bytes().starts_with(less)),
    }
}

/// Whether the blank more before each line of context may be its sign, which was read twice, while the added lines lack none: only
/// removed lines would tell.
pub(super) fn may_be_sign(hunk: &Hunk, shift: Shift) -> bool {
    let is_removed = |line: &Line| matches!(line, Line::Remove(text) if has_text(text));
    shift == Shift::Shallower(b" ") && !hunk.lines.iter().any(is_removed)
}

/// Whether the old lines alone may have lost their margins: none of them has one, while every added line has at least the file's, or the
/// added lines of a diff that removes nothing have margins of their own.
fn may_be_whole(hunk: &Hunk, margin_of_file: &[u8]) -> bool {
    let mut texts = hunk.lines.iter().filter(|line| has_text(line.bytes()));
    let added = texts.clone().filter(|line| !line.is_old()).count();
    let has_margin = |line: &Line| !margin(line.bytes()).is_empty();
    let inserts = hunk.old_start.is_some() && !hunk.lines.iter().any(|line| matches!(line, Line::Remove(_)));
    let is_bare = texts.clone().filter(|line| line.is_old()).all(|line| !has_margin(line));
    if inserts && is_bare && texts.clone().any(|line| !line.is_old() && has_margin(line)) {
        return true;
    }
    added > 0
        && texts.all(|line| match line.is_old() {
            true => margin(line.bytes()).is_empty(),
            false => line.bytes().starts_with(margin_of_file),
        })
}

/// Whether a quoted blank line, which is white space in the file, reads as an added one does: then the lines of a block do not show
/// which of the two is the file's.
pub(super) fn is_blank_unclear<'t>(hunk: &Hunk, mut rows: impl Iterator<Item = &'t [u8]>) -> bool {
    let adds_blank = hunk.lines.iter().any(|line| matches!(line, Line::Add(text) if text.is_empty()));
    let mut old = hunk.lines.iter().filter(|line| line.is_old());
    adds_blank && old.any(|line| rows.next().is_some_and(|row| line.bytes().is_empty() && !row.is_empty()))
}
