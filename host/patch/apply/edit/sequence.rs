//! Blocks and diffs that are made from what earlier ones of the same reply wrote.

use std::collections::HashMap;

use guardhost_core::change::Hunk;

use super::{AppliedEdit, place_joined, place_together};
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
) -> Result<AppliedEdit, Vec<HunkMisfit>> {
    let mut so_far: Option<AppliedEdit> = None;
    let mut first = 0;
    // Where the next part begins: at the first block that was not found.
    let mut next = not_found(&misfits);
    for _ in 0..ROUNDS {
        let Some(end) = next.filter(|end| *end > first) else { return Err(misfits) };
        let on = so_far.as_ref().map_or(bytes, |placed| &placed.bytes);
        let Ok(part) = place_together(on, &hunks[first..end], first + 1, context, &HashMap::new()) else {
            return Err(misfits);
        };
        let part = joined(so_far.take(), part);
        first = end;
        match place_together(&part.bytes, &hunks[first..], first + 1, context, &HashMap::new()) {
            Ok(rest) => return Ok(joined(Some(part), rest)),
            Err(later) => next = not_found(&later),
        }
        so_far = Some(part);
    }
    Err(misfits)
}

/// Places each diff on what the ones before it leave. `joined` is the result of placing all on `bytes`, which counts where they
/// do not follow one another. Where both readings are possible and differ, neither is taken, unless one finds a hunk done
/// already that the other has to make: then the diff is a step that takes a part of an earlier one back.
pub(super) fn place_in_steps(
    bytes: &[u8],
    hunks: &[Hunk],
    context: &PatchContext,
    joined_result: Result<AppliedEdit, Vec<HunkMisfit>>,
) -> Result<AppliedEdit, Vec<HunkMisfit>> {
    let mut so_far: Option<AppliedEdit> = None;
    for step in hunks.chunk_by(|a, b| a.step == b.step) {
        context.watch.checkpoint();
        let on = so_far.as_ref().map_or(bytes, |placed| &placed.bytes);
        match place_joined(on, step, &context.for_step(step)) {
            Ok(placed) => so_far = Some(joined(so_far.take(), placed)),
            Err(_) => return joined_result,
        }
    }
    let Some(in_steps) = so_far else { return joined_result };
    match joined_result {
        Ok(at_once) if at_once.bytes == in_steps.bytes => Ok(at_once),
        Ok(at_once) if at_once.has_done && !in_steps.has_done => Ok(in_steps),
        Ok(_) => {
            let message = "the reply has several diffs of this file, and it makes a difference whether a later one is for the file as \
                           it is or as the earlier ones leave it. Send one diff of the file as it is.";
            Err(vec![HunkMisfit::new(1, MisfitKind::Ambiguous, message)])
        }
        Err(_) => Ok(in_steps),
    }
}

/// The index of the first hunk that was not found, if that is all that is wrong.
fn not_found(misfits: &[HunkMisfit]) -> Option<usize> {
    let all = misfits.iter().all(|misfit| misfit.kind == MisfitKind::NotFound);
    misfits.iter().map(|misfit| misfit.hunk - 1).min().filter(|_| all)
}

fn joined(before: Option<AppliedEdit>, after: AppliedEdit) -> AppliedEdit {
    let Some(before) = before else { return after };
    AppliedEdit {
        bytes: after.bytes,
        strategy: before.strategy.max(after.strategy),
        notes: [before.notes, after.notes].concat(),
        is_verbatim: before.is_verbatim && after.is_verbatim,
        is_shifted: before.is_shifted || after.is_shifted,
        has_done: before.has_done || after.has_done,
    }
}
