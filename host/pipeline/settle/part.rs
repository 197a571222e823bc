//! What is good of a rejected round: the largest part that the guards accept is kept beside the attempt.

use guardhost_core::change::{Candidate, NullObserver, RejectedPlace, Task};
use guardhost_core::error::Result;
use guardhost_core::stop::Stopped;
use guardhost_gate::Gate;
use guardhost_gate::salvage::{Salvaged, salvage};
use guardhost_git::diff_text;

use super::{Settlement, message};

/// A part that is kept.
pub struct AcceptedPart {
    /// Its ref.
    pub reference: String,
    /// As a git diff.
    pub diff: Vec<u8>,
    /// What the attempt has and the part has not.
    pub core: Vec<RejectedPlace>,
}

/// Looks for the part, and keeps it under a ref of its own. None where no part is accepted, or the run was stopped meanwhile: that is for the
/// next stage to say.
///
/// # Errors
/// The repository's objects cannot be read, or the ref cannot be written.
pub fn keep_part(
    gate: &Gate,
    rejected: &Candidate,
    task: &Task,
    settlement: &Settlement<'_>,
) -> Result<Option<AcceptedPart>> {
    let Settlement { repo, run, round, .. } = settlement;
    // What guards say of parts is about nothing that exists.
    let found = match salvage(repo, gate, rejected, Some(task), &NullObserver) {
        Err(error) if error.downcast_ref::<Stopped>().is_some() => return Ok(None),
        found => found?,
    };
    let Salvaged { part: Some(part), .. } = found else { return Ok(None) };
    let commit = repo.commit(part.tree, rejected.base.as_slice(), &message::part(run, *round))?;
    let reference = repo.keep_part(run, *round, commit)?;
    Ok(Some(AcceptedPart { reference, diff: diff_text(repo, rejected.base_tree, part.tree)?, core: part.core }))
}
