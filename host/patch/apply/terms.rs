//! What is known about the hunks of a section beyond their lines.

use guardhost_core::change::{Hunk, Line, Note, Patch, PatchFormat, RepoPath};

pub(super) struct Terms<'a> {
    pub path: &'a RepoPath,
    /// The format gives each hunk a line number.
    pub numbered: bool,
    /// The hunks are listed from top to bottom.
    pub ordered: bool,
    /// No header had to be mended.
    pub honest: bool,
    /// By how much all hunks down to the line that each names make the file longer, in the order of these lines.
    growth: Vec<(usize, isize)>,
}

impl<'a> Terms<'a> {
    pub fn of(patch: &Patch, path: &'a RepoPath, hunks: &[Hunk]) -> Self {
        let numbered = matches!(patch.format, PatchFormat::GitDiff | PatchFormat::UnifiedDiff);
        let noted = |code| patch.notes.iter().any(|note| note.code == code);
        let mut growth: Vec<(usize, isize)> =
            hunks.iter().filter_map(|hunk| Some((line_above(hunk.old_start?), grows_by(hunk)))).collect();
        growth.sort_unstable();
        let mut total = 0;
        for (_, by) in &mut growth {
            total += *by;
            *by = total;
        }
        Terms {
            path,
            numbered,
            ordered: (numbered || patch.format == PatchFormat::V4a) && !noted("several-sections"),
            honest: !noted("recount"),
            growth,
        }
    }

    /// Where the new lines of a hunk begin whose old ones begin at `line`: there, or behind what the hunks above bring in,
    /// these being applied or not.
    pub fn named(&self, line: usize) -> [usize; 2] {
        let above = self.growth.partition_point(|(at, _)| *at < line);
        let by = above.checked_sub(1).map_or(0, |last| self.growth[last].1);
        [line, line.saturating_add_signed(by)]
    }

    pub fn note(&self, code: &'static str, text: &str) -> Note {
        Note::new(code, format!("{}: {text}", self.path))
    }
}

/// Lines are counted from 1 in headers, from 0 here.
pub(super) fn line_above(number: u32) -> usize {
    (number as usize).saturating_sub(1)
}

fn grows_by(hunk: &Hunk) -> isize {
    hunk.lines.iter().map(|line: &Line| isize::from(line.is_new()) - isize::from(line.is_old())).sum()
}
