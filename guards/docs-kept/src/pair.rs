//! A document before and after.

use std::cell::OnceCell;

use guard_sdk::{File, Hunk};

use crate::document::Document;
use crate::elsewhere::{Elsewhere, Phrases};

pub struct Pair<'a> {
    pub path: &'a str,
    pub before: &'a Document,
    pub after: &'a Document,
    pub hunks: Vec<Hunk>,
    /// Of the text after: [`is_exact`].
    pub exact: bool,
    left: OnceCell<Phrases>,
    came: OnceCell<Phrases>,
}

/// Whether the text is the file byte for byte (no byte order mark, no UTF-16), so that offsets in it are the file's.
pub fn is_exact(file: &File, after: &Document) -> bool {
    file.after().blob().is_some_and(|blob| blob.size == after.text.len() as u64)
}

impl<'a> Pair<'a> {
    pub fn new(file: &File<'a>, before: &'a Document, after: &'a Document) -> Self {
        let exact = is_exact(file, after);
        Pair {
            path: file.path(),
            before,
            after,
            hunks: file.hunks(),
            exact,
            left: OnceCell::new(),
            came: OnceCell::new(),
        }
    }

    /// Share of a text of the base that is still in the document, or came into another file of the change.
    pub fn kept(&self, text: &str, elsewhere: &Elsewhere) -> f64 {
        let left = self.left.get_or_init(|| Phrases::of(&self.after.text));
        elsewhere.share(text, left, self.path)
    }

    /// Share of a text of the base that came again in this change: what stood elsewhere all along is no new home.
    pub fn moved(&self, text: &str, elsewhere: &Elsewhere) -> f64 {
        let lines = |hunk: &Hunk| (hunk.new_start..hunk.new_start + hunk.new_lines).map(|line| self.after.line(line));
        let came = || Phrases::of(&self.hunks.iter().flat_map(lines).collect::<Vec<_>>().join("\n"));
        elsewhere.share(text, self.came.get_or_init(came), self.path)
    }

    /// Where in the candidate a line of the base stands, or stood: the first line of what came in its place.
    pub fn place(&self, old: u32) -> u32 {
        let mut shift: i64 = 0;
        for hunk in &self.hunks {
            if old < hunk.old_start || (old == hunk.old_start && hunk.old_lines == 0) {
                break;
            }
            if old < hunk.old_start + hunk.old_lines {
                return hunk.new_start.max(1);
            }
            shift += i64::from(hunk.new_lines) - i64::from(hunk.old_lines);
        }
        u32::try_from(i64::from(old) + shift).unwrap_or(1).max(1)
    }
}
