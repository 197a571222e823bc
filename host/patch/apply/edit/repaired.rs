//! A second try for hunks that were not found: with the file's own blank lines, or with its own margins of context.

use std::collections::HashMap;

use guardhost_core::change::{Hunk, Strategy};

use super::repairs::HunkRepair;
use super::{AppliedEdit, place_together};
use crate::apply::context::PatchContext;
use crate::apply::locate::{BlankLines, Signs, filled};
use crate::apply::misfit::{HunkMisfit, MisfitKind};
use crate::apply::text::Text;

/// Places the hunks with the blanks that their context lost. None when it lost none; a misfit when it is not clear.
pub(super) fn with_signs(
    bytes: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
) -> Option<Result<AppliedEdit, Vec<HunkMisfit>>> {
    if !context.has_signs {
        return None;
    }
    let text = Text::new(bytes);
    let (filled, rows) = filled(&text);
    let blanks = BlankLines::new(&text, &filled, &rows);
    let mut restored = hunks.to_vec();
    let mut notes = Vec::new();
    let mut repaired = HashMap::new();
    for (at, hunk) in hunks.iter().enumerate() {
        context.watch.visit();
        match blanks.with_signs(hunk) {
            Signs::Whole => {}
            Signs::Restored(own) => {
                restored[at] = own;
                repaired.insert(at + 1, HunkRepair::Signs);
                notes.push(context.hunk_note(
                    at + 1,
                    "lost-signs",
                    "lines of its context had lost the blank before them",
                ));
            }
            Signs::Unclear => {
                let message = "its context lacks one blank before each line, and its added lines may lack one too";
                return Some(Err(vec![HunkMisfit::new(at + 1, MisfitKind::NotFound, message)]));
            }
        }
    }
    if notes.is_empty() {
        return None;
    }
    let mut placed = place_together(bytes, &restored, 1, context, &repaired).ok()?;
    placed.strategy = placed.strategy.max(Some(Strategy::Whitespace));
    placed.notes.extend(notes);
    Some(Ok(placed))
}

/// None when one hunk of `misfits` cannot be repaired so, or when they do not fit all the same.
pub(super) fn place_fixed(
    bytes: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
    misfits: &[HunkMisfit],
) -> Option<AppliedEdit> {
    if misfits.iter().any(|misfit| misfit.kind != MisfitKind::NotFound) {
        return None;
    }
    let text = Text::new(bytes);
    let (filled, rows) = filled(&text);
    let blanks = BlankLines::new(&text, &filled, &rows);
    let mut fitted = hunks.to_vec();
    let mut notes = Vec::new();
    let mut repaired = HashMap::new();
    for misfit in misfits {
        let hunk = &hunks[misfit.hunk - 1];
        let (own, repair, code, words) = if let Some(own) = blanks.repaired(hunk).or_else(|| blanks.without_edge(hunk))
        {
            (
                own,
                HunkRepair::BlankLines,
                "blank-lines",
                "its context has a blank line more or less than the file, whose own were kept",
            )
        } else {
            (
                blanks.with_margins(hunk)?,
                HunkRepair::Margins,
                "lost-margins",
                "its context has lost its margins; the file's own were kept",
            )
        };
        fitted[misfit.hunk - 1] = own;
        repaired.insert(misfit.hunk, repair);
        notes.push(context.hunk_note(misfit.hunk, code, words));
    }
    let mut placed = place_together(bytes, &fitted, 1, context, &repaired).ok()?;
    placed.strategy = placed.strategy.max(Some(Strategy::Whitespace));
    placed.is_verbatim = false;
    placed.notes.extend(notes);
    Some(placed)
}
