//! From a reply to a candidate: the one sequence of repair, extract, sanitize and apply that every command uses.

use guardhost_core::change::{
    Candidate, Misfit, NoPatch, Patch, Refused, RepairedReply, Reply, RepoPath, RoundFailure,
};
use guardhost_core::error::{Error, Result};

use crate::apply::{ApplyBase, apply};
use crate::extract::{Surroundings, extract};
use crate::repair::repair;
use crate::sanitize::{CleanPatch, Rules, sanitize};
use guardhost_core::stop::{StopToken, Stopped};

/// What one stage made of a reply.
pub enum StageResult<'a> {
    Repaired { reply: &'a Reply, repaired: &'a RepairedReply },
    Extracted(&'a Patch),
    Sanitized(&'a CleanPatch),
    Applied(&'a Candidate),
}

/// Sees what each stage made, in order. A run's observer is one; `()` sees nothing.
///
/// # Errors
/// An error ends the proposal as [`ProposalStop::Error`], before the next stage.
pub trait StageLog {
    fn see(&mut self, made: StageResult<'_>) -> Result<()>;
}

impl StageLog for () {
    fn see(&mut self, _: StageResult<'_>) -> Result<()> {
        Ok(())
    }
}

/// Why there is no candidate.
#[derive(Debug)]
pub enum ProposalStop {
    /// The provider's fault; it becomes feedback.
    Failure(Box<RoundFailure>),
    /// The stage was ended before it was done. Says nothing about the reply, unless it ran out of its own time.
    Ended(Stopped),
    /// The repository's or the log's.
    Error(Error),
}

impl ProposalStop {
    /// Splits the two, for callers that report a failure and pass an error on.
    ///
    /// # Errors
    /// The error of [`ProposalStop::Error`], or that the stage was ended.
    pub fn into_failure(self) -> Result<RoundFailure> {
        match self {
            ProposalStop::Failure(failure) => Ok(*failure),
            ProposalStop::Ended(stopped) => Err(stopped.into_error("reading the reply")),
            ProposalStop::Error(error) => Err(error),
        }
    }
}

impl From<Stopped> for ProposalStop {
    fn from(stopped: Stopped) -> Self {
        ProposalStop::Ended(stopped)
    }
}

impl From<NoPatch> for ProposalStop {
    fn from(none: NoPatch) -> Self {
        ProposalStop::Failure(Box::new(RoundFailure::NoPatch(none)))
    }
}

impl From<Refused> for ProposalStop {
    fn from(refused: Refused) -> Self {
        ProposalStop::Failure(Box::new(RoundFailure::Refused(refused)))
    }
}

impl From<Misfit> for ProposalStop {
    fn from(misfit: Misfit) -> Self {
        ProposalStop::Failure(Box::new(RoundFailure::Misfit(misfit)))
    }
}

impl From<Error> for ProposalStop {
    fn from(error: Error) -> Self {
        ProposalStop::Error(error)
    }
}

/// The candidate that the reply's patch makes of `base`. `hints` are the paths that the task names.
///
/// # Errors
/// [`ProposalStop`]; nothing is placed then, of any file.
pub fn propose(
    reply: &Reply,
    hints: &[RepoPath],
    base: &ApplyBase,
    rules: &Rules,
    log: &mut dyn StageLog,
    stop: &StopToken,
) -> Result<Candidate, ProposalStop> {
    let repaired = repair(reply, stop)?;
    log.see(StageResult::Repaired { reply, repaired: &repaired })?;
    let patch = extract(repaired, hints, &Surroundings::new(&base.tree), stop)??;
    log.see(StageResult::Extracted(&patch))?;
    propose_patch(patch, base, rules, log, stop)
}

/// Like [`propose`], for callers that have a patch already. `StageLog` sees the last two stages only.
///
/// # Errors
/// [`ProposalStop`], never with [`RoundFailure::NoPatch`].
pub fn propose_patch(
    patch: Patch,
    base: &ApplyBase,
    rules: &Rules,
    log: &mut dyn StageLog,
    stop: &StopToken,
) -> Result<Candidate, ProposalStop> {
    let clean = sanitize(patch, rules, &base.tree, stop)??;
    log.see(StageResult::Sanitized(&clean))?;
    let candidate = apply(&clean, base, stop)??;
    log.see(StageResult::Applied(&candidate))?;
    Ok(candidate)
}
