//! The list of changed files that `git diff --stat` prints: those that no edit of the reply changes are missing.

use std::ops::Range;

use super::super::lines::blank;
use super::Seen;
use super::closer::Closer;
use bstr::ByteSlice;

impl Closer<'_> {
    /// Lines of such lists, outside of the edits, for files that no edit changes.
    pub(super) fn find_missing_of_stat(&mut self) {
        let lines = self.closing.lines;
        let runs: Vec<Range<usize>> = (self.open.runs.iter().enumerate())
            .filter(|(nth, (_, seen))| !matches!(seen, Seen::Edit { .. }) && !self.is_edit(*nth))
            .map(|(_, (range, _))| range.clone())
            .collect();
        for range in runs {
            let Some(total) = range.clone().find(|at| is_total(lines[*at])) else { continue };
            let listed = (range.start..total).rev().take_while(|at| !blank(lines[*at]));
            let missing = listed.filter(|at| {
                let Some(path) = listed_path(lines[*at]) else { return false };
                // Long paths are shortened from the left.
                let path = path.strip_prefix(b".../").unwrap_or(path);
                !path.contains_str("=>") && !self.closing.edits.iter().any(|edit| edit.path.as_bytes().ends_with(path))
            });
            if let Some(at) = missing.last() {
                self.leave(at, "lists a changed file that no edit here changes; send all of the change");
            }
        }
    }
}

/// `2 files changed, 3 insertions(+)`
fn is_total(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let noun = text[digits..].trim_ascii_start();
    digits > 0 && (noun.starts_with(b"file changed") || noun.starts_with(b"files changed"))
}

/// ` src/a.py | 12 +++---`
fn listed_path(line: &[u8]) -> Option<&[u8]> {
    let (path, count) = line.split_at(line.rfind(" | ")?);
    let count = count[3..].trim_ascii_start();
    let is_count = count.first().is_some_and(u8::is_ascii_digit) || count.starts_with(b"Bin");
    Some(path.trim_ascii()).filter(|path| is_count && !path.is_empty())
}
