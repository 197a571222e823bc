//! Blocks that search for what earlier blocks of the same reply wrote.

use guardhost_core::change::Hunk;

use super::{Placed, place_together};
use crate::apply::context::PatchContext;
use crate::apply::misfit::{HunkMisfit, MisfitKind};

/// So many times at most the file is searched anew, since each search reads all of it.
const ROUNDS: usize = 16;

/// Places all hunks on `bytes`, or, where a later one stands nowhere in it, on what the earlier ones make of it. `misfits` are
/// those of placing all on `bytes`, which are given back when this does not help.
pub(super) fn place_in_sequence(
    bytes: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
    misfits: Vec<HunkMisfit>,
) -> Result<Placed, Vec<HunkMisfit>> {
    let mut so_far: Option<Placed> = None;
    let mut first = 0;
    // Where the next part begins: at the first block that was not found.
    let mut next = not_found(&misfits);
    for _ in 0..ROUNDS {
        let Some(end) = next.filter(|end| *end > first) else { return Err(misfits) };
        let on = so_far.as_ref().map_or(bytes, |placed| &placed.bytes);
        let Ok(part) = place_together(on, &hunks[first..end], first + 1, context) else { return Err(misfits) };
        let part = joined(so_far.take(), part);
        first = end;
        match place_together(&part.bytes, &hunks[first..], first + 1, context) {
            Ok(rest) => return Ok(joined(Some(part), rest)),
            Err(later) => next = not_found(&later),
        }
        so_far = Some(part);
    }
    Err(misfits)
}

/// The index of the first hunk that was not found, if that is all that is wrong.
fn not_found(misfits: &[HunkMisfit]) -> Option<usize> {
    let all = misfits.iter().all(|misfit| misfit.kind == MisfitKind::NotFound);
    misfits.iter().map(|misfit| misfit.hunk - 1).min().filter(|_| all)
}

fn joined(before: Option<Placed>, after: Placed) -> Placed {
    let Some(before) = before else { return after };
    Placed {
        bytes: after.bytes,
        strategy: before.strategy.max(after.strategy),
        notes: [before.notes, after.notes].concat(),
        is_verbatim: before.is_verbatim && after.is_verbatim,
    }
}
