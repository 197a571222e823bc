//! What a planner is asked, and what came of it.

use guardhost_core::change::{PastRun, Reply, Tree, Usage};
use guardhost_core::error::Result;
use guardhost_policy::config::ScopeRule;

use super::super::context::{AuditFile, PlanContext};
use super::super::model::Plan;
use super::shared_facts::SharedFacts;

/// What the planner gets to see.
pub struct PlanQuestion<'a> {
    pub context: PlanContext,
    /// What an audit found, metrics outside of the scope left out.
    pub audit: Option<&'a AuditFile>,
    pub scope: Option<&'a ScopeRule>,
    pub tree: &'a Tree,
    /// Earlier runs of this repository, newest first.
    pub past: &'a [PastRun],
    /// Facts of the tree that an observer has.
    pub shared: Option<&'a SharedFacts>,
}

/// One question and its answer.
pub struct Exchange {
    pub question: String,
    pub reply: Reply,
    /// What was wrong with the reply; empty when nothing was.
    pub wrong: String,
    /// A notice for each kind of thing that the reply has and the plan has not.
    pub left_out: Vec<String>,
}

/// What came of asking. The exchanges are there when the plan is not, too.
pub struct Planned {
    pub plan: Result<Plan>,
    pub exchanges: Vec<Exchange>,
    pub spent: Usage,
}
