//! What is known about the hunks of a section beyond their lines.

use crate::change::{Hunk, Note, RepoPath};

#[derive(Clone)]
pub(super) struct Terms<'a> {
    pub path: &'a RepoPath,
    /// The format lists hunks from top to bottom, each with a line number.
    pub diff: bool,
    /// The format lists hunks from top to bottom.
    pub ordered: bool,
    /// No header had to be mended.
    pub honest: bool,
    /// Number of the first hunk, from 1.
    pub first: usize,
    /// What earlier sections did to the same file, in turn.
    pub earlier: &'a [Growth],
    /// By how much all hunks for the file so far, these included, make it longer down to the line that each names, in order.
    pub announced: Growth,
}

/// Rows at which a section made the text longer or shorter, and by how much, in the text before the section.
pub(super) type Growth = Vec<(usize, isize)>;

impl Terms<'_> {
    /// Where a line of the original file stands after the earlier sections.
    pub fn moved(&self, line: usize) -> usize {
        self.earlier.iter().fold(line, |line, growth| {
            let by: isize = growth.iter().filter(|(at, _)| *at <= line).map(|(_, by)| by).sum();
            line.saturating_add_signed(by)
        })
    }

    /// Where the new lines of a hunk begin whose old ones begin at `line`: there, or behind what the hunks above bring in,
    /// these being applied or not.
    pub fn named(&self, line: usize) -> [usize; 3] {
        let above = self.announced.partition_point(|(at, _)| *at < line);
        let by = above.checked_sub(1).map_or(0, |last| self.announced[last].1);
        [line, self.moved(line), line.saturating_add_signed(by)]
    }
}

/// The lines that hunks name, from 0, and by how much each hunk makes the file longer.
pub(super) fn announced(hunks: &[Hunk]) -> impl Iterator<Item = (usize, isize)> {
    let growth =
        |hunk: &Hunk| hunk.lines.iter().map(|line| isize::from(line.is_new()) - isize::from(line.is_old())).sum();
    hunks.iter().filter_map(move |hunk| Some(((hunk.old_start? as usize).saturating_sub(1), growth(hunk))))
}

impl Terms<'_> {
    pub fn note(&self, code: &'static str, text: &str) -> Note {
        Note::new(code, format!("{}: {text}", self.path))
    }
}
