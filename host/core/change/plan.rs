//! What the plan stage looks at: the steps to come, and what earlier runs came to.

use super::RepoPath;
use crate::error::Result;

/// One step of a plan: a change of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanStep {
    /// Unique within the plan.
    pub id: String,
    pub title: String,
    /// Everything that the provider is told of it.
    pub text: String,
    /// Paths that it means to touch.
    pub hints: Vec<RepoPath>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRun {
    pub run: String,
    /// The plan's step; empty outside of plans.
    pub step: String,
    /// Full hours since it began.
    pub age_hours: u32,
    pub kind: RunEnding,
    /// What its patches really touched, sorted.
    pub touched: Vec<RepoPath>,
    /// Ids of the guards that turned one of them down, sorted.
    pub rejected_by: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    /// Committed or staged.
    Accepted,
    /// No round was accepted.
    Rejected,
    /// It could not go on: no provider answered, a budget was used up.
    Failed,
    /// Its user stopped it, or it was killed.
    Abandoned,
}

/// What earlier runs in one repository came to.
pub trait RunHistory: Send + Sync {
    /// Newest first; at most `limit`, none older than `window_hours`. Runs that are at work and runs that changed nothing are left out.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>>;
}
