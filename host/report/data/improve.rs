//! `host improve`: what a tree scored before and behind the steps of a plan.

use guardhost_core::change::{Oid, Usage};
use guardhost_core::vote::{Approval, Vote};

use super::{AuditReport, IssuesReport, PlanReport, PullReport, WatchReport};

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
    /// What the audit still found behind the plan, as issues; None when no reviewer was named, or nothing was left.
    pub fixes: Option<IssuesReport>,
    /// What voters say of all commits together; None when none was named, or nothing was committed.
    pub votes: Option<Voted>,
    /// The last commit that can be accepted: of the plan, or of the fixes if they are approved; None when the votes refuse it.
    pub commit: Option<Oid>,
    /// The pull request of what was committed, if one was wanted.
    pub pull: Option<Box<PullReport>>,
    /// What its builds came to.
    pub watch: Option<Box<WatchReport>>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

/// Votes on a change as a whole.
#[derive(Debug, Clone)]
pub struct Voted {
    pub votes: Vec<Vote>,
    pub approval: Approval,
}

impl Voted {
    pub fn is_approved(&self) -> bool {
        match self.approval {
            Approval::Approved { .. } => true,
            Approval::Refused { .. } | Approval::NotAsked(_) => false,
        }
    }

    /// Why they do not approve.
    pub fn why(&self) -> Option<String> {
        match &self.approval {
            Approval::Approved { .. } => None,
            Approval::Refused { why } => Some(why.text()),
            Approval::NotAsked(why) => Some(why.clone()),
        }
    }
}
