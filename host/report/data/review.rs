//! `host review`: what the guards, the critics and the voters say of a change.

use guardhost_core::change::{Judgement, Oid, Usage};
use guardhost_core::serialized_names;
use guardhost_core::vote::{Approval, Comparison, Vote};
use guardhost_core::written::OptionalHex;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CheckReport, CommentCounts, StepDone};

/// What the guards, the critics and the voters say of a change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "review")]
pub struct ReviewReport {
    /// Records questions and answers; empty when no model was asked.
    pub run: String,
    /// No model sees a change that the guards reject.
    pub check: CheckReport,
    /// Advice.
    pub critics: Judgement,
    /// In their order.
    pub votes: Vec<Vote>,
    #[serde(flatten)]
    pub approval: Approval,
    /// With `--refine`.
    pub refined: Option<Refined>,
    /// Of a pull request.
    pub posted: Option<PostedReview>,
    pub notices: Vec<String>,
    /// What the models that were asked took, for the limits of whoever asked.
    #[serde(skip)]
    pub spent: Vec<Usage>,
    /// Wall time.
    pub micros: u64,
}

/// A review at a forge.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "postedReview")]
pub struct PostedReview {
    /// The pull request's.
    pub number: u64,
    pub url: String,
    pub review: StepDone,
    /// On lines, of guards and of models.
    pub comments: CommentCounts,
}

/// Blocker and major objections, sent back to a provider once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "refined")]
pub struct Refined {
    pub outcome: Refinement,
    /// Of the new version; empty when none was requested.
    pub run: String,
    /// Of the new version, if it stays.
    pub branch: Option<String>,
    /// The new version, if the guards accept it.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// Which version the judge prefers, once for each order.
    #[serde(rename = "judgements")]
    pub comparison: Comparison,
    /// Why the old version stays.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "refinement")]
pub enum Refinement {
    /// The new version is on a branch of its own.
    Kept,
    /// Not better in both orders.
    NotBetter,
    /// By the guards, or it does not fit.
    Rejected,
    /// The provider says that nothing has to change.
    NoChange,
    /// Nothing to send back, or no branch to move.
    NotTried,
}

serialized_names!(Refinement);
