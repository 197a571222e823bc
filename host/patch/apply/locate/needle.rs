//! The lines of a hunk that are searched for in a file.

use crate::apply::text::without_cr;
use guardhost_core::change::{Hunk, Line};

/// One side of a hunk, or a part of it.
#[derive(Clone)]
pub struct Needle<'h> {
    pub(super) lines: Vec<NeedleLine<'h>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct NeedleLine<'h> {
    pub bytes: &'h [u8],
    pub is_context: bool,
}

impl<'h> Needle<'h> {
    /// What the file holds before the hunk.
    pub fn old(hunk: &'h Hunk) -> Self {
        Self::from_lines(hunk.lines.iter().filter(|line| line.is_old()))
    }

    /// What the file holds after it.
    pub fn new(hunk: &'h Hunk) -> Self {
        Self::from_lines(hunk.lines.iter().filter(|line| line.is_new()))
    }

    pub(super) fn from_lines(lines: impl Iterator<Item = &'h Line>) -> Self {
        let needle_line = |line: &'h Line| NeedleLine {
            bytes: without_cr(line.bytes()),
            is_context: matches!(line, Line::Context(_)),
        };
        Needle { lines: lines.map(needle_line).collect() }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn bytes(&self) -> impl DoubleEndedIterator<Item = &'h [u8]> + ExactSizeIterator {
        self.lines.iter().map(|line| line.bytes)
    }

    /// Without the line at `at`.
    pub(super) fn without(&self, at: usize) -> Self {
        let mut lines = self.lines.clone();
        lines.remove(at);
        Needle { lines }
    }
}
