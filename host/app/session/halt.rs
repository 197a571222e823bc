//! Why a step of a session ends early: with an answer for the model, or with an error.

use super::answer::Answer;
use guardhost_core::change::{Misfit, NoPatch, NoPatchKind, Refused};
use guardhost_core::error::{Error, Result};

pub(super) type Step<T> = Result<T, Halt>;

pub(super) enum Halt {
    Denied(Box<Answer>),
    Error(Error),
}

/// Errors outside, answers inside.
pub(super) fn settled<T>(step: Step<T>) -> Result<Result<T, Answer>> {
    match step {
        Ok(done) => Ok(Ok(done)),
        Err(Halt::Denied(answer)) => Ok(Err(*answer)),
        Err(Halt::Error(error)) => Err(error),
    }
}

impl From<Answer> for Halt {
    fn from(answer: Answer) -> Self {
        Halt::Denied(Box::new(answer))
    }
}

impl From<Refused> for Halt {
    fn from(refused: Refused) -> Self {
        Answer::refused(&refused).into()
    }
}

impl From<NoPatch> for Halt {
    fn from(none: NoPatch) -> Self {
        let message = match none.kind {
            // The words for a reply do not fit an argument.
            NoPatchKind::Empty | NoPatchKind::Prose | NoPatchKind::NoChange => {
                "There is no diff in unified_diff. Send hunks that begin with @@ and quote the lines around the change."
                    .into()
            }
            NoPatchKind::Truncated | NoPatchKind::Malformed => none.message,
        };
        Answer::invalid(message).into()
    }
}

impl From<Misfit> for Halt {
    fn from(misfit: Misfit) -> Self {
        Answer::invalid(misfit).into()
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Error(error)
    }
}
