//! Why a call of a session ends early: with an answer that denies it, or with an error.

use super::answer::WriteAnswer;
use guardhost_core::change::{Misfit, NoPatch, NoPatchKind, Refused, RoundFailure};
use guardhost_core::error::{Error, Result};
use guardhost_patch::propose::ProposalStop;

pub(super) type SessionResult<T> = Result<T, SessionError>;

pub(super) enum SessionError {
    /// The call is not allowed or does not fit; the model gets the answer.
    Denied(Box<WriteAnswer>),
    /// The disk, the repository or its rules failed.
    Error(Error),
}

/// Separates errors (the outer result) from denials (the inner one).
pub(super) fn split_denial<T>(result: SessionResult<T>) -> Result<Result<T, WriteAnswer>> {
    match result {
        Ok(done) => Ok(Ok(done)),
        Err(SessionError::Denied(answer)) => Ok(Err(*answer)),
        Err(SessionError::Error(error)) => Err(error),
    }
}

impl From<WriteAnswer> for SessionError {
    fn from(answer: WriteAnswer) -> Self {
        SessionError::Denied(Box::new(answer))
    }
}

impl From<Refused> for SessionError {
    fn from(refused: Refused) -> Self {
        WriteAnswer::refused(&refused).into()
    }
}

impl From<NoPatch> for SessionError {
    fn from(none: NoPatch) -> Self {
        let message = match none.kind {
            // The original message speaks of a reply; here the diff is a tool's argument.
            NoPatchKind::Empty | NoPatchKind::Prose | NoPatchKind::NoChange => {
                "There is no diff in unified_diff. Send hunks that begin with @@ and quote the lines around the change."
                    .into()
            }
            NoPatchKind::Truncated | NoPatchKind::Malformed => none.message,
        };
        WriteAnswer::invalid(message).into()
    }
}

impl From<Misfit> for SessionError {
    fn from(misfit: Misfit) -> Self {
        WriteAnswer::invalid(misfit).into()
    }
}

impl From<ProposalStop> for SessionError {
    fn from(stop: ProposalStop) -> Self {
        match stop.into_failure() {
            Ok(RoundFailure::NoPatch(none)) => none.into(),
            Ok(RoundFailure::Refused(refused)) => refused.into(),
            Ok(RoundFailure::Misfit(misfit)) => misfit.into(),
            Ok(RoundFailure::Rejected(rejection)) => {
                WriteAnswer::rejected(&rejection.judgement, &rejection.quotes).into()
            }
            Err(error) => error.into(),
        }
    }
}

impl From<Error> for SessionError {
    fn from(error: Error) -> Self {
        SessionError::Error(error)
    }
}
