//! What the steps of a run emit.

use guardhost_core::change::{Candidate, Feedback, Reply, RoundFailure, Settled, Usage};
use guardhost_gate::Judged;
use guardhost_patch::propose::StageResult;

use crate::settle::AcceptedPart;

/// What one step of a run made, in the order in which steps happen. Nothing that decides the run depends on what an observer does with it.
pub enum RunStep<'a> {
    RoundBegins {
        round: u32,
        /// The last round that there can be.
        rounds: u32,
    },
    /// What all answers of the run took so far; also when the last question had no answer.
    Spent(Usage),
    Replied(&'a Reply),
    /// Of the way from a reply to a candidate.
    Proposed(StageResult<'a>),
    /// What the guards said, and what their fixes came to.
    Judged(&'a Judged),
    Settling(&'a Candidate),
    Settled(&'a Settled),
    /// What the guards accept of a rejected change.
    Part(&'a AcceptedPart),
    /// The round was not accepted.
    Failed(&'a RoundFailure),
    /// What the next round's question will say of this one.
    Feedback(&'a Feedback),
}
