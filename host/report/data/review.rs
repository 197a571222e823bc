//! `host review`: what the guards, the critics and the voters say of a change.

use guardhost_core::change::{Judgement, Oid, Usage};
use guardhost_core::serialized_names;
use guardhost_core::vote::{Approval, Comparison, Vote};
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CheckReport, CommentCounts, StepDone};

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "review")]
pub struct ReviewReport {
    /// Empty when no model was asked.
    pub run: String,
    pub check: CheckReport,
    /// Advice.
    pub critics: Judgement,
    pub votes: Vec<Vote>,
    #[serde(flatten)]
    pub approval: Approval,
    /// With `--refine`.
    pub refined: Option<Refined>,
    /// To a pull request.
    pub posted: Option<PostedReview>,
    pub notices: Vec<String>,
    /// What the models that were asked took, for the limits of whoever asked.
    #[serde(skip)]
    pub spent: Vec<Usage>,
    pub micros: u64,
}

impl ReviewReport {
    /// Nobody read the change: no model was asked, or every critic that was asked failed. A vote is an answer, whatever it says.
    pub fn is_unread(&self) -> bool {
        self.votes.is_empty() && self.critics.evidence.iter().all(|critic| critic.verdict.code().is_some())
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "postedReview")]
pub struct PostedReview {
    pub number: u64,
    pub url: String,
    pub review: StepDone,
    pub comments: CommentCounts,
}

/// Blocker and major objections, sent back once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "refined")]
pub struct Refined {
    pub outcome: Refinement,
    /// Of the new version, or empty.
    pub run: String,
    /// If it stays.
    pub branch: Option<String>,
    /// If the guards accept it.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// The preferred version, once for each order.
    #[serde(rename = "judgements")]
    pub comparison: Comparison,
    /// Why the old one stays.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "refinement")]
pub enum Refinement {
    /// It has its own branch.
    Kept,
    /// Not better in both orders.
    NotBetter,
    Rejected,
    NoChange,
    NotTried,
}

serialized_names!(Refinement);
