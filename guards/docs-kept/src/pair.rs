//! A document before and after.

use std::cell::OnceCell;

use guard_sdk::{File, Hunk};

use crate::document::{Document, size};
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
    rewritten: OnceCell<bool>,
}

/// Share of a document's lines of text that went or came, from which on it is another document.
const REWRITTEN: f64 = 1.0 / 3.0;
/// And how many of them: a large document may be rewritten in parts.
const MANY: usize = 100;

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
            rewritten: OnceCell::new(),
        }
    }

    /// Share of a text of the base that is still in the document, or came into another file of the change.
    pub fn kept_share(&self, text: &str, elsewhere: &Elsewhere) -> f64 {
        let left = self.left.get_or_init(|| Phrases::new(&self.after.text));
        elsewhere.share(text, left, self.path)
    }

    /// Share of a text of the base that came again in this change: what stood elsewhere all along is no new home.
    pub fn moved(&self, text: &str, elsewhere: &Elsewhere) -> f64 {
        let lines = |hunk: &Hunk| (hunk.new_start..hunk.new_start + hunk.new_lines).map(|line| self.after.line(line));
        let came = || Phrases::new(&self.hunks.iter().flat_map(lines).collect::<Vec<_>>().join("\n"));
        elsewhere.share(text, self.came.get_or_init(came), self.path)
    }

    /// Whether so much of the text outside of code changed that a block can no longer be said to have gone while the text stayed.
    pub fn is_rewritten(&self) -> bool {
        *self.rewritten.get_or_init(|| {
            let (old, new) = (prose(self.before), prose(self.after));
            let gone = old.iter().filter(|line| new.binary_search(line).is_err()).count();
            let came = new.iter().filter(|line| old.binary_search(line).is_err()).count();
            gone + came >= MANY || gone as f64 > REWRITTEN * old.len().max(LEAST) as f64
        })
    }

    /// Characters outside of code that the change writes.
    pub fn written(&self) -> usize {
        let (old, new) = (prose(self.before), prose(self.after));
        new.iter().filter(|line| old.binary_search(line).is_err()).map(|line| line.chars().count()).sum()
    }

    /// Whether hardly anything of the text before is left, and what came in its place is a document by itself: of so many characters, or more.
    pub fn is_another(&self, least: usize) -> bool {
        let written = self.written();
        written >= least && written * 10 >= size(&self.after.text) * 9
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

/// Lines of text that a document has at least before a share of them says anything.
const LEAST: usize = 30;

/// Lines outside of code that say something, sorted.
fn prose(document: &Document) -> Vec<&str> {
    let mut blocks = document.blocks.iter().map(|block| block.lines.clone()).peekable();
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in document.lines() {
        while blocks.next_if(|block| block.end <= number).is_some() {}
        if !line.is_empty() && !blocks.peek().is_some_and(|block| block.contains(&number)) {
            lines.push(line);
        }
    }
    lines.sort_unstable();
    lines
}
