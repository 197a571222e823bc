//! A touched file as this guard reads it.

use std::ops::Range;

use guard_sdk::{Edit, Finding};

/// Both sides of a file that is in the candidate, decoded.
pub struct Sides<'t> {
    pub path: &'t str,
    /// Its path and text in the base; none when it is added.
    pub before: Option<(&'t str, &'t str)>,
    pub after: &'t str,
    /// Bytes of the candidate's file before `after` begins, those of a byte order mark. None when the bytes are not those of
    /// `after` at all: then no edit can be told.
    pub mark: Option<usize>,
}

impl Sides<'_> {
    /// A finding with the remedy of deleting these bytes of `after`.
    pub fn deleting(&self, finding: Finding, title: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> Finding {
        let Some(mark) = self.mark else { return finding };
        let edit = |range: Range<usize>| Edit::replace(self.path, range.start + mark..range.end + mark, "");
        finding.fix(title, ranges.into_iter().filter(|range| !range.is_empty()).map(edit).collect())
    }
}
