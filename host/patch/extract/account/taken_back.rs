//! Words between patches, or around them, that take one back.

use std::ops::Range;

use super::super::lines::blank;
use super::Seen;
use super::alternatives::{Weight, taken_back};
use super::closer::Closer;

impl Closer<'_> {
    /// Words between two edits, or around them, that take one back.
    pub(super) fn find_taken_back(&mut self) {
        let lines = self.closing.lines;
        let is_text = |range: &Range<usize>| lines[range.clone()].iter().any(|line| !blank(line));
        // Edits with text between them are patches of their own.
        let mut patches = 0;
        let mut is_open = false;
        for (nth, (range, seen)) in self.open.runs.iter().enumerate() {
            match seen {
                _ if self.is_edit(nth) => {
                    patches += usize::from(!is_open);
                    is_open = true;
                }
                Seen::Unread { .. } if is_text(range) => is_open = false,
                _ => {}
            }
        }
        let least = if patches < 2 { Weight::Any } else { Weight::OneOfSeveral };
        let unread = self.open.runs.iter().filter(|(_, seen)| matches!(seen, Seen::Unread { is_fenced: false }));
        let retracted: Vec<usize> =
            unread.filter_map(|(range, _)| Some(range.start + taken_back(&lines[range.clone()], least)?)).collect();
        for at in retracted {
            self.leave(at, "may take a patch of this reply back; send only the final one");
        }
    }
}
