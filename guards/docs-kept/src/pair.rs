//! A document before and after.

use guard_sdk::Hunk;

use crate::document::Document;

pub struct Pair<'a> {
    pub path: &'a str,
    pub before: &'a Document,
    pub after: &'a Document,
    pub hunks: Vec<Hunk>,
}

impl Pair<'_> {
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
