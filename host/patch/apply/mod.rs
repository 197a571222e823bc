//! Place a patch on git objects in memory: exactly or at the only place, never by a guess.
//!
//! `section` takes the patch file by file, `survey` finds where a hunk fits, `decide` chooses or declines, `splice` writes
//! the text, `merge` brings it over to a file that has moved on, `draft` makes the tree. No file is written.

mod already;
mod anchor;
mod decide;
mod draft;
mod edits;
mod ground;
mod lines;
mod merge;
mod misfit;
mod names;
mod nearest;
mod place;
mod rewrite;
mod seal;
mod search;
mod section;
mod splice;
mod survey;
mod terms;
mod unescape;
mod untangle;
mod whole;

pub use ground::ApplyBase;

use crate::sanitize::CleanPatch;
use draft::Draft;
use guardhost_core::change::{Candidate, Misfit, Patch, Strategy};
use guardhost_core::error::Result;

/// The candidate that `patch` makes of the ground, or every hunk and file of it that does not fit; then nothing is placed.
///
/// Removed lines match the file byte for byte, white space at line ends aside, at a place that is the only one or that the
/// patch itself tells from the others. What the patch does not touch stays as it is, byte for byte. A patch that fits only
/// once HTML's entities are undone was escaped on its way.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn apply(patch: &CleanPatch, ground: &ApplyBase) -> Result<Result<Candidate, Misfit>> {
    let patch = patch.patch();
    let placed = attempt(patch, ground)?;
    let verbatim = |placed: &Candidate| placed.notes.iter().all(|note| note.code != place::MISQUOTED);
    if placed.as_ref().is_ok_and(verbatim) {
        return Ok(placed);
    }
    let Some(unescaped) = unescape::unescaped(patch) else { return Ok(placed) };
    match (attempt(&unescaped, ground)?, placed) {
        (Ok(other), _) if verbatim(&other) => Ok(Ok(other)),
        // One line reads otherwise in both readings: which of them is meant shows in what would be written.
        (Ok(other), Ok(placed)) if other.tree != placed.tree => Ok(Err(unescape::unclear(patch))),
        (_, placed) => Ok(placed),
    }
}

fn attempt(patch: &Patch, ground: &ApplyBase) -> Result<Result<Candidate, Misfit>> {
    let mut draft = Draft::on(ground, patch);
    if patch.notes.iter().any(|note| note.code == "recount") {
        draft.used(Strategy::Recount);
    }
    for file in &patch.files {
        section::section(&mut draft, patch, file)?;
    }
    draft.seal(patch)
}
