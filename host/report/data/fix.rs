//! `host fix`: what became of issues.

use guardhost_core::change::{Oid, RunEnd};
use guardhost_core::issue::{IssueStatus, Side};
use guardhost_core::vote::Vote;

use super::StepReport;

#[derive(Debug, Clone, Default)]
pub struct IssuesReport {
    pub run: String,
    pub base: Option<Oid>,
    pub branch: String,
    /// The last commit of the branch; None when nothing was committed, or what was is not approved.
    pub commit: Option<Oid>,
    /// In the order of the list.
    pub issues: Vec<IssueReport>,
    /// In the order in which they were tried.
    pub batches: Vec<BatchReport>,
    /// One for each attempt.
    pub reviews: Vec<FixReview>,
    /// Whether an issue that was committed and reviewed counts as done, though no detector could tell.
    pub accepts_touched: bool,
    /// What ended the run before its end: an interruption, a budget.
    pub ended_by: Option<RunEnd>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone)]
pub struct IssueReport {
    pub id: String,
    pub fingerprint: String,
    pub title: String,
    pub rule: String,
    pub path: Option<String>,
    pub line: Option<u32>,
    pub side: Side,
    pub status: IssueStatus,
    /// Of its last attempt.
    pub batch: Option<String>,
    pub commit: Option<String>,
    pub why: Option<String>,
    pub attempts: u32,
}

#[derive(Debug, Clone)]
pub struct BatchReport {
    pub side: Side,
    pub points: u32,
    /// More points than a batch may have: the issue should be split.
    pub is_too_large: bool,
    pub attempt: u32,
    /// Ids.
    pub issues: Vec<String>,
    /// Its run; the id is that of the batch.
    pub step: StepReport,
}

/// The review of an attempt.
#[derive(Debug, Clone)]
pub struct FixReview {
    pub attempt: u32,
    pub is_approved: bool,
    pub mean: Option<f64>,
    pub threshold: u8,
    pub why: Option<String>,
    /// Empty when nothing was there to review, and for an attempt of a run that was resumed.
    pub votes: Vec<Vote>,
    pub blocking: Vec<String>,
}

impl IssuesReport {
    /// Nothing of any issue is left to do.
    pub fn is_done(&self) -> bool {
        let touched = |status| self.accepts_touched && status == IssueStatus::Touched;
        self.ended_by.is_none() && self.issues.iter().all(|issue| issue.status.is_done() || touched(issue.status))
    }
}
