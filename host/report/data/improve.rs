//! `host improve`: what a tree scored before and behind the steps of a plan.

use guardhost_core::change::{Oid, Usage};

use super::{AuditReport, PlanReport, PullReport, WatchReport};

#[derive(Debug, Clone, Default)]
pub struct ImproveReport {
    pub run: String,
    pub base: Option<Oid>,
    /// Before the first step; None when a resumed run no longer has it.
    pub before: Option<AuditReport>,
    /// Of the last commit; None when nothing was committed.
    pub after: Option<AuditReport>,
    /// What the planning cost, as far as the provider reports it.
    pub planning: Usage,
    /// The layers and the steps. Without a step there was nothing to do.
    pub plan: PlanReport,
    /// The pull request of what was committed, if one was wanted.
    pub pull: Option<Box<PullReport>>,
    /// What its builds came to.
    pub watch: Option<Box<WatchReport>>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}
