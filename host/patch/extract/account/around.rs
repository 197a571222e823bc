//! What stands around a line: edits, and the names, tags and fences that belong to them.

use super::super::lines::blank;
use super::super::names;
use super::Seen;
use super::blocks::Around;
use super::closer::Closer;

/// Lines that the name of an edit may be above it, with tags and fences between.
pub(super) const FRAME: usize = 8;

impl Closer<'_> {
    pub(super) fn around(&self, at: usize) -> Around {
        let nth = self.open.runs.partition_point(|(range, _)| range.end <= at);
        match self.open.runs.get(nth) {
            Some((_, Seen::Unread { .. })) => Around::Prose,
            Some(_) if self.is_edit(nth) => Around::Edit,
            Some(_) | None => Around::Other,
        }
    }

    pub(super) fn is_edit(&self, nth: usize) -> bool {
        match self.open.runs.get(nth) {
            Some((_, Seen::Edit { .. })) => true,
            Some((_, Seen::Block(number))) => self.closing.is_block_edit(*number),
            Some((_, Seen::Frame | Seen::Reading | Seen::Unread { .. })) | None => false,
        }
    }

    /// Whether an edit lies between the lines.
    pub(super) fn holds_edit(&self, from: usize, to: usize) -> bool {
        let first = self.open.runs.partition_point(|(range, _)| range.end <= from);
        (first..self.open.runs.len()).take_while(|nth| self.open.runs[*nth].0.start <= to).any(|nth| self.is_edit(nth))
    }

    /// Whether the line stands above an edit and has no other name than its.
    pub(super) fn is_name_of_edit(&self, at: usize) -> bool {
        let line = self.closing.lines[at];
        let Some(nth) = self.edit_below(at).filter(|_| !line.trim_ascii_end().ends_with(b"/>")) else { return false };
        let edit = match &self.open.runs[nth].1 {
            Seen::Edit { number, .. } => self.closing.edits.get(*number).map(|edit| &edit.path),
            Seen::Block(number) => self.closing.blocks[*number].path.as_ref(),
            Seen::Frame | Seen::Reading | Seen::Unread { .. } => None,
        };
        let named = names::in_tag(line).or_else(|| names::in_element(line));
        named.is_none_or(|named| edit.is_some_and(|edit| edit.file_name() == named.file_name()))
    }

    /// Whether only names, tags and fences stand between the line and the edit below it.
    pub(super) fn names_edit(&self, at: usize) -> bool {
        self.edit_below(at).is_some()
    }

    /// The run of the edit below the line, if only names, tags and fences stand between them.
    pub(super) fn edit_below(&self, at: usize) -> Option<usize> {
        let lines = self.closing.lines;
        for next in (at + 1..lines.len()).take(FRAME) {
            let nth = self.open.runs.partition_point(|(range, _)| range.end <= next);
            if self.is_edit(nth) {
                return Some(nth);
            }
            let is_frame = matches!(self.open.runs.get(nth), Some((_, Seen::Frame)));
            if !(is_frame || blank(lines[next]) || names::is_frame(lines[next])) {
                return None;
            }
        }
        None
    }
}
