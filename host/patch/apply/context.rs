//! What is known about the hunks of a section beyond their lines.

use guardhost_core::change::{FilePatch, HeaderCounts, Hunk, Line, Note, Patch, PatchFormat, RepoPath, Sections};

use crate::formats;
use guardhost_core::stop::Watch;

#[derive(Clone)]
pub struct PatchContext<'a> {
    pub path: &'a RepoPath,
    /// The format gives each hunk a line number.
    pub is_numbered: bool,
    /// The hunks are listed from top to bottom.
    pub is_ordered: bool,
    /// The same for the hunks of one diff alone.
    is_ordered_in_step: bool,
    /// The first column of each line is a sign.
    pub has_signs: bool,
    /// A block may search for what an earlier one wrote.
    pub is_sequential: bool,
    pub header_counts: HeaderCounts,
    pub watch: &'a Watch,
    /// By how much all hunks down to the line that each names make the file longer, in the order of these lines.
    growth: Vec<(usize, isize)>,
}

impl<'a> PatchContext<'a> {
    pub fn new(patch: &Patch, file: &'a FilePatch, hunks: &[Hunk], watch: &'a Watch) -> Self {
        let written_as = patch.format_of(file);
        let format = formats::row(written_as);
        PatchContext {
            path: &file.path,
            is_numbered: format.is_numbered,
            is_ordered: format.is_ordered && patch.sections == Sections::Single,
            is_ordered_in_step: format.is_ordered,
            has_signs: has_signs(written_as),
            is_sequential: is_sequential(written_as),
            header_counts: patch.header_counts,
            watch,
            growth: growth(hunks),
        }
    }

    /// For the hunks of one diff of several of the file.
    pub fn for_step(&self, hunks: &[Hunk]) -> Self {
        PatchContext { is_ordered: self.is_ordered_in_step, growth: growth(hunks), ..self.clone() }
    }

    /// Where the new lines of a hunk begin whose old ones begin at `line`: at the same line if the hunks above are not applied
    /// yet, or lower by what they add if they are.
    pub fn new_starts(&self, line: usize) -> [usize; 2] {
        let above = self.growth.partition_point(|(at, _)| *at < line);
        let by = above.checked_sub(1).map_or(0, |last| self.growth[last].1);
        [line, line.saturating_add_signed(by)]
    }

    pub fn note(&self, code: &'static str, text: &str) -> Note {
        Note::new(code, format!("{}: {text}", self.path))
    }

    pub fn hunk_note(&self, number: usize, code: &'static str, text: &str) -> Note {
        Note::new(code, format!("{}, hunk {number}: {text}", self.path))
    }
}

fn growth(hunks: &[Hunk]) -> Vec<(usize, isize)> {
    let mut growth: Vec<(usize, isize)> =
        hunks.iter().filter_map(|hunk| Some((line_index(hunk.old_start?), grows_by(hunk)))).collect();
    growth.sort_unstable();
    let mut total = 0;
    for (_, by) in &mut growth {
        total += *by;
        *by = total;
    }
    growth
}

fn has_signs(format: PatchFormat) -> bool {
    match format {
        PatchFormat::GitDiff | PatchFormat::UnifiedDiff | PatchFormat::V4a => true,
        PatchFormat::SearchReplace | PatchFormat::StrReplace | PatchFormat::WholeFile | PatchFormat::JsonList => false,
    }
}

fn is_sequential(format: PatchFormat) -> bool {
    match format {
        PatchFormat::SearchReplace | PatchFormat::StrReplace => true,
        PatchFormat::GitDiff
        | PatchFormat::UnifiedDiff
        | PatchFormat::V4a
        | PatchFormat::WholeFile
        | PatchFormat::JsonList => false,
    }
}

/// Headers count lines from 1; here they are counted from 0.
pub fn line_index(number: u32) -> usize {
    (number as usize).saturating_sub(1)
}

fn grows_by(hunk: &Hunk) -> isize {
    hunk.lines.iter().map(|line: &Line| isize::from(line.is_new()) - isize::from(line.is_old())).sum()
}
