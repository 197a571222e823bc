//! Steps of the task that fixes failing tests: once one of them made the tests pass, the others have nothing to do.

use guardhost_core::audit::WHOLE;
use guardhost_core::change::Oid;
use guardhost_git::{Head, Repo};
use guardhost_pipeline::measure::{MeasureRequest, measured};
use guardhost_policy::Policy;

use crate::context::CommandContext;

const METRIC: &str = "test_results";

/// Runs the tests where it matters, and once for each tree.
pub struct PassingTests<'a> {
    pub repo: &'a Repo,
    pub policy: &'a Policy,
    pub ctx: &'a CommandContext<'a>,
    /// A step of the task was committed. Before that the tests fail, as the audit says.
    pub is_begun: bool,
    known: Option<(Oid, Option<String>)>,
}

impl<'a> PassingTests<'a> {
    pub fn new(repo: &'a Repo, policy: &'a Policy, ctx: &'a CommandContext<'a>, is_begun: bool) -> Self {
        PassingTests { repo, policy, ctx, is_begun, known: None }
    }

    /// Why a step of the task is skipped: every test of the tree passes. None also where that cannot be told.
    pub fn reason(&mut self, on: &Head) -> Option<String> {
        if !self.is_begun {
            return None;
        }
        if self.known.as_ref().is_none_or(|(tree, _)| *tree != on.tree) {
            self.known = Some((on.tree, self.pass(on)));
        }
        self.known.as_ref().and_then(|(_, reason)| reason.clone())
    }

    fn pass(&self, on: &Head) -> Option<String> {
        let wanted = MeasureRequest { runs_code: true, metrics: &[METRIC.to_owned()] };
        let analyzers = self.ctx.policies().analyzers(self.repo, wanted.runs_code).ok()?;
        let audit = measured(self.repo, self.policy, &analyzers, on.tree, &wanted).ok()?;
        let is_whole = audit.metric(METRIC)?.score() == Some(WHOLE);
        let at = on.commit.map(|commit| format!(" at {}", &commit.to_string()[..12])).unwrap_or_default();
        is_whole.then(|| format!("already passes: the tests were run again{at}, and none fails"))
    }
}
