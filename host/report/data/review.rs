//! `host review`: what the guards, the critics and the voters say of a change.

use guardhost_core::change::Judgement;
use guardhost_core::vote::{Approval, Vote};

use super::CheckReport;

#[derive(Debug, Clone)]
pub struct ReviewReport {
    /// The run in whose folder questions and answers are recorded; empty when no model was asked.
    pub run: String,
    /// What the guards say. They decide first: a change that they reject is shown to no model.
    pub check: CheckReport,
    /// What the critics say. It is advice.
    pub critics: Judgement,
    /// In the order in which they were asked.
    pub votes: Vec<Vote>,
    pub approval: Approval,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}
