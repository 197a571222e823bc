//! Commit by compare-and-swap, or say why not.

mod branch;
mod memory;
mod message;
mod part;

pub use branch::branch_name;
pub use memory::{AttemptMemory, Cycle};
pub use part::{AcceptedPart, keep_part};

use guardhost_core::change::{NullObserver, Settled};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_git::{Repo, Snapshot, apply_to_index};

use crate::receipt::ReceiptKey;
use guardhost_gate::Judged;

/// Where a judged candidate goes, and what its commit says.
pub struct Settlement<'a> {
    pub repo: &'a Repo,
    pub target: CommitTarget<'a>,
    /// Id of the run: a trailer of the commit, and the folder of its rejected attempts.
    pub run: String,
    /// From 1.
    pub round: u32,
    /// The task's text; its first line is the commit's subject when the reply carried no message.
    pub task: String,
    /// None for a change that no provider made.
    pub answered_by: Option<AnsweredBy>,
    /// The trailer by which the commit says that a model made it; None where the rules ask for none.
    pub disclosure: Option<&'a str>,
    /// Asked right before the branch, or the index, takes the change.
    pub claim: Option<&'a dyn ClaimCheck>,
    /// Signs the receipt in the commit.
    pub signer: Option<&'a ReceiptKey>,
}

/// What else must hold when a change is taken: that the claim under which it was made is still held.
pub trait ClaimCheck: Sync {
    /// # Errors
    /// The change must not be taken.
    fn check(&self) -> Result<()>;
}

/// The provider whose reply became the candidate.
#[derive(Debug, Clone)]
pub struct AnsweredBy {
    pub provider: String,
    /// None when the provider does not name its model.
    pub model: Option<String>,
}

/// What an accepted candidate becomes.
#[derive(Clone)]
pub enum CommitTarget<'a> {
    /// A commit on the branch of this short name, which is made if it does not exist: see [`branch_name`].
    Branch(String),
    /// The index that the candidate was made for, and the work tree.
    Index(&'a Snapshot),
}

impl Settlement<'_> {
    fn check(&self) -> Result<()> {
        self.claim.map_or(Ok(()), ClaimCheck::check)
    }
}

/// Publishes a candidate that the guards accepted, or keeps a rejected one under a ref of its own; [`feedback`] says what is wrong with it.
///
/// For a branch, neither touches HEAD, the index or the work tree, and no hook runs. Until the branch moves, which it does in one
/// step, a killed process leaves nothing but unreachable objects. For the index see [`apply_to_index`].
///
/// # Errors
/// [`FaultKind::Git`]: the branch stands elsewhere than the candidate's base, is checked out, or cannot be written;
/// [`FaultKind::Config`]: no guard was asked, which is not a pass, or the receipt cannot be signed; of the claim.
pub fn settle(judged: &Judged, settlement: &Settlement<'_>) -> Result<Settled> {
    if judged.judgement().evidence.is_empty() {
        return Err(Fault::new(FaultKind::Config, "no guard judged this change, so it cannot be accepted")
            .hint("add a guard to guards.toml: host guard add")
            .into());
    }
    if !judged.is_accepted() {
        return reject(judged, settlement);
    }
    match &settlement.target {
        CommitTarget::Branch(branch) => publish(judged, branch, settlement),
        CommitTarget::Index(snapshot) => {
            settlement.check()?;
            apply_to_index(settlement.repo, snapshot, judged.candidate(), &NullObserver)?;
            Ok(Settled::Staged { tree: judged.candidate().tree })
        }
    }
}

fn publish(judged: &Judged, branch: &str, settlement: &Settlement<'_>) -> Result<Settled> {
    let candidate = judged.candidate();
    let message = message::accepted(judged, settlement)?;
    let commit = settlement.repo.commit(candidate.tree, candidate.base.as_slice(), &message)?;
    settlement.check()?;
    match (settlement.repo.branch(branch)?, candidate.base) {
        (Some(_), Some(base)) => settlement.repo.move_branch(branch, base, commit)?,
        _ => settlement.repo.create_branch(branch, commit)?,
    }
    Ok(Settled::Committed { branch: branch.to_owned(), commit })
}

fn reject(judged: &Judged, settlement: &Settlement<'_>) -> Result<Settled> {
    let (candidate, judgement) = (judged.candidate(), judged.judgement());
    let message = message::rejected(judgement, &settlement.run, settlement.round);
    let commit = settlement.repo.commit(candidate.tree, candidate.base.as_slice(), &message)?;
    let kept = settlement.repo.keep_rejected(&settlement.run, settlement.round, commit)?;
    Ok(Settled::Rejected { kept: Some(kept) })
}
