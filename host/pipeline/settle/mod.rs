//! Commit by compare-and-swap, or say why not.

mod feedback;
mod findings;
mod memory;
mod message;
mod quote;

pub use feedback::{FEEDBACK_LIMIT, feedback};
pub use memory::{Cycle, Memory};

use guardhost_core::change::{Candidate, Judgement, Settled, Verdict};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_git::{Repo, Snapshot, place_in_index};

/// Where a candidate goes, and what is said of it.
pub struct Terms<'a> {
    pub repo: &'a Repo,
    pub onto: CommitTarget<'a>,
    /// Id of the run: a trailer of the commit, and the folder of its rejected attempts.
    pub run: String,
    /// From 1.
    pub round: u32,
    /// The task's text; its first line is the commit's subject when the reply carried no message.
    pub task: String,
}

/// What an accepted change goes onto.
#[derive(Clone)]
pub enum CommitTarget<'a> {
    /// The short name of a branch; made if there is none. `guardhost/<run>` by custom.
    Branch(String),
    /// The index that the change was made for, and the work tree.
    Index(&'a Snapshot),
}

/// Publishes a candidate that passed, or keeps it for later study; [`feedback`] says what is wrong with it.
///
/// CommitTarget a branch, neither touches HEAD, the index or the work tree; no hook runs. Until the branch moves, which it does in one
/// step, a killed process leaves nothing but objects that nothing refers to. For the index see [`place_in_index`].
///
/// Errors ([`Kind::Git`]): the branch stands elsewhere than the candidate's base, is checked out, or cannot be written;
/// [`Kind::Config`]: no guard was asked, which is not a pass.
pub fn settle(candidate: &Candidate, judgement: &Judgement, terms: &Terms<'_>) -> Result<Settled> {
    if judgement.evidence.is_empty() {
        return Err(Fault::new(Kind::Config, "no guard judged this change, so it cannot be accepted")
            .hint("add a guard to guards.toml: host guard add")
            .into());
    }
    match judgement.verdict() {
        Verdict::Pass => match &terms.onto {
            CommitTarget::Branch(branch) => publish(candidate, branch, terms),
            CommitTarget::Index(snapshot) => {
                place_in_index(terms.repo, snapshot, candidate)?;
                Ok(Settled::Staged { tree: candidate.tree })
            }
        },
        Verdict::Reject | Verdict::Error => reject(candidate, judgement, terms),
    }
}

fn publish(candidate: &Candidate, branch: &str, terms: &Terms<'_>) -> Result<Settled> {
    let message = message::accepted(candidate.message.as_deref(), &terms.task, &terms.run);
    let commit = terms.repo.commit(candidate.tree, candidate.base.as_slice(), &message)?;
    match (terms.repo.branch(branch)?, candidate.base) {
        (Some(_), Some(base)) => terms.repo.move_branch(branch, base, commit)?,
        _ => terms.repo.create_branch(branch, commit)?,
    }
    Ok(Settled::Committed { branch: branch.to_owned(), commit })
}

fn reject(candidate: &Candidate, judgement: &Judgement, terms: &Terms<'_>) -> Result<Settled> {
    let message = message::rejected(judgement, &terms.run, terms.round);
    let commit = terms.repo.commit(candidate.tree, candidate.base.as_slice(), &message)?;
    let kept = terms.repo.keep_rejected(&terms.run, terms.round, commit)?;
    Ok(Settled::Rejected { kept: Some(kept) })
}
