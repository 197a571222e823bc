//! What a model has to know of a rejected change, in few words.

use guardhost_core::change::{Candidate, Judgement, Rejection, RoundFailure};
use guardhost_report::for_model::{BRIEF_LIMIT, brief, feedback};

/// What the guards have against a candidate.
pub(super) fn rejection(candidate: &Candidate, judgement: &Judgement) -> String {
    brief(&Rejection::new(candidate, judgement.clone()), BRIEF_LIMIT)
}

/// A patch that could not be placed.
pub(super) fn from_failure(failure: &RoundFailure) -> String {
    feedback(failure, BRIEF_LIMIT).text.trim_end().to_owned()
}
