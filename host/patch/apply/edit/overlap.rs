//! The edits of all hunks of a section, in the order of the file and apart from one another.

use super::splice::Splice;
use crate::apply::context::PatchContext;
use crate::apply::locate::LocatedHunk;
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use guardhost_core::change::{Line, Note};

/// An edit, and the hunk that it comes from.
pub(super) struct HunkEdit<'l, 'h> {
    pub edit: Splice<'h>,
    pub hunk: &'l LocatedHunk<'h>,
    /// Where the hunk was placed.
    pub start: usize,
}

/// Two edits that follow one another in the file.
enum Relation {
    Apart,
    /// The same edit, given twice.
    Same,
    /// They change the same lines, or add lines in the same place.
    Overlap,
}

/// Sorts the edits. An edit that is given twice is made once; two that change the same lines are a misfit.
pub(super) fn merge_overlaps<'h>(
    mut all: Vec<HunkEdit<'_, 'h>>,
    context: &PatchContext,
    notes: &mut Vec<Note>,
) -> Result<Vec<Splice<'h>>, Vec<HunkMisfit>> {
    // At one row an insertion comes above a replacement; of two insertions that of the upper hunk comes first.
    all.sort_by_key(|HunkEdit { edit, start, .. }| (edit.at, edit.remove > 0, *start));
    let mut misfits = Vec::new();
    let mut kept: Vec<HunkEdit> = Vec::new();
    for lower in all {
        let relation = kept.last().map_or(Relation::Apart, |upper| upper.relation_to(&lower));
        match (relation, kept.last()) {
            (Relation::Same, _) => {
                notes.push(context.hunk_note(
                    lower.hunk.number,
                    "duplicate-hunk",
                    "it came twice and was applied once",
                ));
            }
            (Relation::Overlap, Some(upper)) => misfits.push(overlap(upper, &lower)),
            (Relation::Apart, _) | (Relation::Overlap, None) => kept.push(lower),
        }
    }
    if misfits.is_empty() { Ok(kept.into_iter().map(|kept| kept.edit).collect()) } else { Err(misfits) }
}

impl HunkEdit<'_, '_> {
    fn relation_to(&self, lower: &HunkEdit) -> Relation {
        let is_same = self.edit == lower.edit;
        if is_same && !self.is_meant_elsewhere_than(lower) {
            return Relation::Same;
        }
        let end = self.edit.at + self.edit.remove;
        let is_same_gap = lower.edit.at == self.edit.at && lower.edit.remove == 0 && self.edit.remove == 0;
        let is_overlap = lower.edit.at < end
            || is_same_gap && lower.start == self.start
            || lower.edit.at == end && self.disagrees_with(lower);
        if is_same || is_overlap { Relation::Overlap } else { Relation::Apart }
    }

    /// Of two edits that touch: one adds lines where the other hunk has the lines above and below as they were. So a draft and
    /// its correction look, of which only one is meant.
    fn disagrees_with(&self, lower: &HunkEdit) -> bool {
        let adds = self.edit.remove == 0 || lower.edit.remove == 0;
        let is_another_hunk = self.hunk.number != lower.hunk.number;
        adds && is_another_hunk && self.start < lower.end() && lower.start < self.end()
    }

    /// One past the last line that the hunk quotes.
    fn end(&self) -> usize {
        self.start + self.hunk.hunk.lines.iter().filter(|line: &&Line| line.is_old()).count()
    }

    /// Two different numbers, of which one is right: the other hunk is for another place, where it does not match.
    fn is_meant_elsewhere_than(&self, other: &HunkEdit) -> bool {
        self.hunk.claimed != other.hunk.claimed && self.is_at_its_number() != other.is_at_its_number()
    }

    fn is_at_its_number(&self) -> bool {
        self.hunk.claimed == Some(self.start)
    }
}

fn overlap(a: &HunkEdit, b: &HunkEdit) -> HunkMisfit {
    let (first, second) = (a.hunk.number.min(b.hunk.number), a.hunk.number.max(b.hunk.number));
    let message = format!("hunks {first} and {second} change the same lines, at line {}", b.edit.at + 1);
    HunkMisfit::new(second, MisfitKind::Overlap, message)
}
