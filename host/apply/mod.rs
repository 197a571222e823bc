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
mod untangle;
mod whole;

pub use ground::Ground;

use crate::change::{Candidate, CleanPatch, Misfit, Strategy};
use crate::error::Result;
use draft::Draft;

/// The candidate that `patch` makes of the ground, or every hunk and file of it that does not fit; then nothing is placed.
///
/// Removed lines match the file byte for byte, white space at line ends aside, at a place that is the only one or that the
/// patch itself tells from the others. What the patch does not touch stays as it is, byte for byte.
///
/// # Errors
/// When the repository's objects cannot be read.
pub fn apply(patch: &CleanPatch, ground: &Ground) -> Result<Result<Candidate, Misfit>> {
    let patch = patch.patch();
    let mut draft = Draft::on(ground, patch);
    if patch.notes.iter().any(|note| note.code == "recount") {
        draft.used(Strategy::Recount);
    }
    for file in &patch.files {
        section::section(&mut draft, patch, file)?;
    }
    draft.seal(patch)
}
