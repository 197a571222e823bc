//! A second try for hunks that were not found: with the blank lines that the file has.

use guardhost_core::change::{Hunk, Strategy};

use super::{Placed, place_together};
use crate::apply::context::PatchContext;
use crate::apply::locate::{BlankLines, filled};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use crate::apply::text::Text;

/// None when no hunk of `misfits` can be mended so, or when they do not fit all the same.
pub(super) fn place_with_own_blanks(
    bytes: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
    misfits: &[HunkMisfit],
) -> Option<Placed> {
    if misfits.iter().any(|misfit| misfit.kind != MisfitKind::NotFound) {
        return None;
    }
    let text = Text::of(bytes);
    let (filled, rows) = filled(&text);
    let blanks = BlankLines::of(&text, &filled, &rows);
    let mut mended = hunks.to_vec();
    for misfit in misfits {
        mended[misfit.hunk - 1] = blanks.mended(&hunks[misfit.hunk - 1])?;
    }
    let mut placed = place_together(bytes, &mended, 1, context).ok()?;
    placed.strategy = placed.strategy.max(Some(Strategy::Whitespace));
    placed.is_verbatim = false;
    let words = "its context has a blank line more or less than the file, whose own were kept";
    placed.notes.extend(misfits.iter().map(|misfit| context.hunk_note(misfit.hunk, "blank-lines", words)));
    Some(placed)
}
