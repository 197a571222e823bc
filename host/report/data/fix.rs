//! `host fix`: what became of issues.

use guardhost_core::change::{Oid, RunEnd, StepOutcome};
use guardhost_core::issue::{IssueStatus, Side};
use guardhost_core::vote::Vote;
use guardhost_core::written::OptionalHex;
use guardhost_core::{written_as, written_from};
use schemars::JsonSchema;
use serde::Serialize;

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
    /// In their order.
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

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "issue")]
pub struct IssueReport {
    pub id: String,
    pub status: IssueStatus,
    /// Of its last attempt.
    pub batch: Option<String>,
    /// Of its last attempt.
    pub commit: Option<String>,
    pub why: Option<String>,
    pub title: String,
    pub rule: String,
    pub path: Option<String>,
    pub line: Option<u32>,
    pub side: Side,
    /// The same for the same issue in every list.
    pub fingerprint: String,
    pub attempts: u32,
}

#[derive(Debug, Clone)]
pub struct BatchReport {
    pub side: Side,
    pub points: u32,
    /// The issue should be split.
    pub is_too_large: bool,
    pub attempt: u32,
    /// Ids.
    pub issues: Vec<String>,
    /// Its run; the id is that of the batch.
    pub step: StepReport,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "fixReview")]
pub struct FixReview {
    #[serde(rename = "iteration")]
    pub attempt: u32,
    #[serde(rename = "approved")]
    pub is_approved: bool,
    pub mean: Option<f64>,
    pub threshold: u8,
    pub why: Option<String>,
    /// Empty for an earlier run's attempt.
    pub votes: Vec<Vote>,
    pub blocking: Vec<String>,
}

impl IssuesReport {
    /// Nothing of any issue is left to do.
    pub fn is_done(&self) -> bool {
        let touched = |status| self.accepts_touched && status == IssueStatus::Touched;
        self.ended_by.is_none() && self.issues.iter().all(|issue| issue.status.is_done() || touched(issue.status))
    }

    fn iterations(&self) -> usize {
        self.reviews.len()
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "IssuesReport")]
#[schemars(rename = "fixedIssues")]
struct IssuesKeys {
    run: String,
    #[serde(with = "OptionalHex")]
    base: Option<Oid>,
    branch: String,
    /// The last of the branch.
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    issues: Vec<IssueReport>,
    batches: Vec<BatchReport>,
    #[serde(getter = "IssuesReport::iterations")]
    iterations: usize,
    reviews: Vec<FixReview>,
    /// `interrupted`, `over-budget` or the kind of an error.
    ended_by: Option<RunEnd>,
    notices: Vec<String>,
    micros: u64,
}

written_as!(IssuesReport, IssuesKeys);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "batch")]
struct BatchKeys<'a> {
    id: &'a str,
    side: Side,
    points: u32,
    /// Ids.
    issues: &'a [String],
    too_large: bool,
    /// From 1.
    iteration: u32,
    outcome: StepOutcome,
    why: Option<&'a str>,
    run: Option<&'a str>,
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    rounds: usize,
}

impl<'a> From<&'a BatchReport> for BatchKeys<'a> {
    fn from(batch: &'a BatchReport) -> Self {
        BatchKeys {
            id: &batch.step.id,
            side: batch.side,
            points: batch.points,
            issues: &batch.issues,
            too_large: batch.is_too_large,
            iteration: batch.attempt,
            outcome: batch.step.outcome,
            why: batch.step.why.as_deref(),
            run: batch.step.run.as_deref(),
            commit: batch.step.commit,
            rounds: batch.step.rounds,
        }
    }
}

written_from!(BatchReport, BatchKeys<'_>);
