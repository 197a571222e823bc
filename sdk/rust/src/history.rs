//! What earlier runs in this repository came to. Whoever uses this imports `history`.

use crate::open::open_set;
use crate::{Denied, Source};

/// One run's outcome, or that of one step of its plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub run: String,
    /// The plan's step, empty outside plans.
    pub step: String,
    /// Hours between that outcome and the judged commit or plan, by the host's clock.
    pub age_hours: u32,
    pub result: RunResult,
    /// The paths really touched, not the hinted ones.
    pub touched: Vec<String>,
    /// Guards that rejected.
    pub rejected_by: Vec<String>,
}

open_set! {
    /// What a run came to.
    RunResult { Accepted = "accepted", Rejected = "rejected", Failed = "failed", Abandoned = "abandoned" }
}

/// What earlier runs in this repository came to.
#[derive(Clone, Copy)]
pub struct History<'c>(pub(crate) &'c Source);

impl History<'_> {
    /// Newest first; at most `limit`, at most `window_hours` old.
    pub fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        self.0.outcomes(window_hours, limit)
    }
}
