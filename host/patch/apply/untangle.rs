//! The edits of all hunks of a section, in the order of the file and apart from one another.

use super::decide::Quarry;
use super::misfit::HunkMisfit;
use super::splice::Edit;
use super::terms::Terms;
use guardhost_core::change::Note;

/// Sort the edits; the same edit twice is one, and two that touch the same rows are a misfit.
pub(super) fn untangle<'h>(
    mut all: Vec<(Edit<'h>, &Quarry, usize)>,
    terms: &Terms,
    notes: &mut Vec<Note>,
) -> Result<Vec<Edit<'h>>, Vec<HunkMisfit>> {
    // An insertion comes above what is replaced at the same row; of two insertions that of the upper hunk.
    all.sort_by_key(|(edit, _, start)| (edit.at, edit.remove > 0, *start));
    let mut misfits = Vec::new();
    let mut kept: Vec<(Edit, &Quarry, usize)> = Vec::new();
    for (edit, quarry, start) in all {
        if let Some((above, other, other_start)) = kept.last() {
            // Two numbers, one of them true: the other is meant for another place, which does not fit.
            let numbers = (quarry.claimed, other.claimed);
            let meant_twice = numbers.0 != numbers.1
                && numbers.0.is_some_and(|line| line == start) != numbers.1.is_some_and(|line| line == *other_start);
            if edit == *above && !meant_twice {
                let text = format!("{}, hunk {}: it came twice and was applied once", terms.path, quarry.number);
                notes.push(Note::new("duplicate-hunk", text));
                continue;
            }
            let touching = edit.at < above.at + above.remove;
            let same_gap = edit.at == above.at && edit.remove == 0 && above.remove == 0;
            if touching || same_gap && start == *other_start || edit == *above {
                let numbers = (quarry.number.min(other.number), quarry.number.max(other.number));
                let message =
                    format!("hunks {} and {} change the same lines, at line {}", numbers.0, numbers.1, edit.at + 1);
                misfits.push(HunkMisfit::new(numbers.1, "overlap", message));
                continue;
            }
        }
        kept.push((edit, quarry, start));
    }
    if misfits.is_empty() { Ok(kept.into_iter().map(|(edit, ..)| edit).collect()) } else { Err(misfits) }
}
