//! `host log RUN`, `host show`, `host show --diff`, `host accept` and `host discard`: one recorded run, and what becomes of its result.

use guardhost_core::change::Oid;

use super::CheckReport;
use crate::journal::History;

/// A recorded run in full.
#[derive(Debug, Clone, Default)]
pub struct RunDetails {
    pub history: History,
    /// For a plan: the runs of its steps, oldest first.
    pub steps: Vec<History>,
    /// What the run committed, as a git diff; None when it committed nothing, or the commit is gone.
    pub diff: Option<String>,
}

/// What a run committed.
#[derive(Debug, Clone, Default)]
pub struct ResultDiff {
    pub run: String,
    /// None for a run in a repository without commits.
    pub base: Option<Oid>,
    pub commit: Option<Oid>,
    pub branch: Option<String>,
    /// As a git diff.
    pub diff: String,
}

/// What became of a run's result.
#[derive(Debug, Clone, Default)]
pub struct TakenReport {
    pub run: String,
    pub task: String,
    pub action: TakenAction,
    /// Short name of the branch that HEAD names; None when HEAD is detached.
    pub onto: Option<String>,
    /// Short name of the run's own branch.
    pub branch: Option<String>,
    pub branch_deleted: bool,
    /// The commit of the run.
    pub commit: Option<Oid>,
    /// The commit of HEAD afterwards.
    pub head: Option<Oid>,
    /// How many refs of rejected attempts were deleted.
    pub attempts_deleted: usize,
    /// The verdicts on the result as it is on HEAD; None when the guards had judged exactly that in the run.
    pub check: Option<CheckReport>,
}

/// What `host accept` or `host discard` did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TakenAction {
    /// HEAD is at the commit of the run.
    FastForwarded,
    /// HEAD is at a merge of what it was and the commit of the run.
    Merged,
    /// HEAD held the commit already.
    AlreadyAccepted,
    /// The guards reject the result on what HEAD is now. Nothing was changed; the default.
    #[default]
    Rejected,
    Discarded,
}

impl TakenAction {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            TakenAction::FastForwarded => "fast-forwarded",
            TakenAction::Merged => "merged",
            TakenAction::AlreadyAccepted => "already-accepted",
            TakenAction::Rejected => "rejected",
            TakenAction::Discarded => "discarded",
        }
    }
}
