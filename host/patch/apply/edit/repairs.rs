//! What a hunk needs to be placed besides its own lines: at most one repair. Each of them is certain only while all else fits, so two
//! at once are a guess.

use std::collections::BTreeSet;

use crate::apply::locate::{LocatedHunk, MatchQuality};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use crate::apply::text::{Text, has_text, trim, trim_end, without_cr};
use guardhost_core::change::{Hunk, Line};

/// One kind of damage that is undone. Blanks at line ends are none: no reply shows them for certain, and the file's own are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HunkRepair {
    /// Its header counts other lines than it has.
    Counts,
    /// Its lines are indented otherwise than the file's.
    Margins,
    /// One line of its context reads otherwise in the file.
    Context,
    /// Lines of its context had lost the blank before them.
    Signs,
    /// Its context has a blank line more or less than the file.
    BlankLines,
    /// Its new lines are in the file already.
    Done,
}

impl HunkRepair {
    fn describe(self) -> &'static str {
        match self {
            HunkRepair::Counts => "the counts in its @@ line are wrong",
            HunkRepair::Margins => "its lines are indented otherwise than the file's",
            HunkRepair::Context => "a line of its context reads otherwise in the file",
            HunkRepair::Signs => "lines of its context lack the blank before them",
            HunkRepair::BlankLines => "its context has a blank line more or less than the file",
            HunkRepair::Done => "its new lines are in the file already",
        }
    }
}

/// The only repair that the hunk needs; None without one.
///
/// # Errors
/// When it needs two: then nothing shows that both are right.
pub(super) fn only_repair(number: usize, repairs: &BTreeSet<HunkRepair>) -> Result<Option<HunkRepair>, HunkMisfit> {
    // A blank line more or less is why the counts are wrong.
    let is_explained = |repair: &HunkRepair| *repair == HunkRepair::Counts && repairs.contains(&HunkRepair::BlankLines);
    let mut all = repairs.iter().filter(|repair| !is_explained(repair));
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(only), None) => Ok(Some(*only)),
        (Some(first), Some(second)) => {
            let message = format!(
                "it fits only if two things are repaired at once: {}, and {}. Send it with the lines of the file.",
                first.describe(),
                second.describe()
            );
            Err(HunkMisfit::new(number, MisfitKind::Ambiguous, message))
        }
    }
}

/// What the hunk needs at `start`; `known` was repaired before it was located.
pub(super) fn needed(hunk: &LocatedHunk, text: &Text, start: usize, known: Option<HunkRepair>) -> BTreeSet<HunkRepair> {
    let mut repairs: BTreeSet<HunkRepair> = known.into_iter().chain(counts(hunk.hunk)).collect();
    match hunk.standing.quality {
        MatchQuality::Exact | MatchQuality::TrailingSpace => {}
        MatchQuality::Tabs | MatchQuality::Shifted => {
            repairs.insert(HunkRepair::Margins);
        }
        MatchQuality::Misquoted => repairs.extend(differences(hunk.hunk, text, start)),
    }
    repairs
}

/// The repair that wrong counts are.
pub(super) fn counts(hunk: &Hunk) -> Option<HunkRepair> {
    hunk.is_miscounted.then_some(HunkRepair::Counts)
}

/// How the lines of a hunk differ from the file's.
fn differences(hunk: &Hunk, text: &Text, start: usize) -> BTreeSet<HunkRepair> {
    let old = hunk.lines.iter().filter(|line| line.is_old()).map(|line: &Line| without_cr(line.bytes()));
    let rows = text.rows.iter().skip(start).map(|row| row.text);
    let mut found: BTreeSet<HunkRepair> = old
        .zip(rows)
        .filter(|(line, row)| trim_end(line) != trim_end(row))
        .map(|(line, row)| match trim(line) == trim(row) && has_text(line) {
            true => HunkRepair::Margins,
            false => HunkRepair::Context,
        })
        .collect();
    if found.is_empty() {
        // A line beyond the file's end.
        found.insert(HunkRepair::Context);
    }
    found
}
