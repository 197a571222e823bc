//! Input of the plan stage: the steps of a plan, and the outcomes of earlier runs.

use super::RepoPath;
use crate::error::Result;

/// One step of a plan, which becomes one change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanStep {
    /// Unique within the plan.
    pub id: String,
    pub title: String,
    /// The task as the provider gets it.
    pub text: String,
    /// Paths that it is expected to touch.
    pub hints: Vec<RepoPath>,
}

/// The outcome of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRun {
    pub run: String,
    /// The plan's step; empty outside of plans.
    pub step: String,
    /// Full hours since it started.
    pub age_hours: u32,
    pub kind: RunEnding,
    /// The files that its patches touched, sorted.
    pub touched: Vec<RepoPath>,
    /// Ids of the guards that rejected one of them, sorted.
    pub rejected_by: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    /// Committed or staged.
    Accepted,
    /// No round was accepted.
    Rejected,
    /// It could not continue: no provider answered, or a budget was exceeded.
    Failed,
    /// Its user stopped it, or it was killed.
    Abandoned,
}

/// The outcomes of earlier runs in one repository.
pub trait RunHistory: Send + Sync {
    /// Newest first; at most `limit`, none older than `window_hours`. Without runs that are still running or changed nothing.
    fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<PastRun>>;
}
