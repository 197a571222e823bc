//! What the audit still finds behind the plan, as issues: fixed as `host fix` does, on the same branch and within the same budget.

use guardhost_core::change::{RunEnd, RunOutcome, StepOutcome};
use guardhost_core::error::Result;
use guardhost_git::Head;
use guardhost_pipeline::fix::source::{IssueFormat, issues};
use guardhost_policy::config::scope;
use guardhost_report::journal::Artifact;
use guardhost_report::{AuditReport, ImproveReport, IssuesReport, escape};

use super::Improvement;
use super::left::LeftToImprove;
use crate::cli::{FixArgs, ImproveArgs, IssuesFrom};
use crate::command::fix::claims::IssueClaims;
use crate::command::fix::flow::{FixWork, Fixing};
use crate::command::fix::list::{self, record_list};
use crate::command::fix::merged::MergedPulls;
use crate::command::fix::resume::Begun;
use crate::command::fix::reviewers::{ReviewLog, Reviewers};
use crate::command::fix::terms::FixTerms;
use crate::command::run::budget::PlanBudget;
use crate::command::run::plan::PlanIdentity;

/// Who reviews, and where that is recorded.
pub struct Fixers<'a, 'b> {
    pub reviewers: Reviewers<'a>,
    pub log: &'b mut ReviewLog,
    pub budget: &'b mut PlanBudget,
}

/// The settings of the flow.
pub fn fix_args(args: &ImproveArgs) -> FixArgs {
    FixArgs {
        from: IssuesFrom::default(),
        resume: None,
        detector: None,
        reviewers: args.reviewers.clone(),
        allow_same_family: args.allow_same_family,
        threshold: None,
        iterations: None,
        accept_touched: false,
        again: false,
        no_builds: args.no_builds,
        ask: args.ask.clone(),
        forge: args.forge.clone(),
    }
}

impl Improvement<'_> {
    /// None when nothing was left, or the plan was stopped before its end: a run that is resumed goes on there.
    ///
    /// # Errors
    /// Those of `host fix`.
    pub fn fix_leftovers(
        &self,
        left: LeftToImprove,
        report: &ImproveReport,
        (args, terms): (&FixArgs, &FixTerms),
        fixers: Fixers,
    ) -> Result<Option<IssuesReport>> {
        if is_stopped(report) || self.cancel.is_cancelled() {
            return Ok(None);
        }
        let LeftToImprove { base, rules, resumes, fixes, .. } = left;
        let (records, id) = (self.identity.records, &self.identity.id);
        let claims = IssueClaims::new(self.ctx, self.repo, id, resumes.as_deref())?;
        let (listed, held) = match fixes.listed {
            Some(listed) => {
                let held = list::claim_again(&listed, id, &claims)?;
                (listed, held)
            }
            None => {
                let Some(audit) = report.after.as_ref().or(report.before.as_ref()) else { return Ok(None) };
                let audit = escape::json(&serde_json::to_value(self.in_scope(audit)?)?);
                let found = issues(IssueFormat::Audit, &audit, "the audit", None)?;
                let merged = MergedPulls::new(&args.forge, self.repo, self.ctx);
                list::claim(found, id, &claims, self.repo, (Some(merged), &self.ctx.process.stop))?
            }
        };
        if listed.is_empty() {
            return Ok(None);
        }
        record_list(records, id, &listed, &held)?;
        records.keep(0, Artifact::Issues, &escape::json(&serde_json::to_value(&listed)?))?;
        let tip = match report.plan.commit {
            Some(commit) => Head { commit: Some(commit), tree: self.repo.tree_of(commit)?, ..base.clone() },
            None => base.clone(),
        };
        let branch = report.plan.branch.clone();
        let begun = Begun {
            base,
            rules,
            tip,
            resumes,
            branch: Some(branch.clone()),
            listed: None,
            steps: fixes.steps,
            attempts: fixes.attempts,
            folders: fixes.folders,
        };
        let identity = PlanIdentity { id: id.clone(), branch, records };
        let (repo, gate, ctx, cancel) = (self.repo, self.gate, self.ctx, self.cancel.clone());
        let Fixers { reviewers, log, budget } = fixers;
        let made = Fixing { repo, gate, args, terms, ctx, cancel, identity }.run(FixWork {
            listed,
            begun,
            reviewers,
            log,
            budget,
        })?;
        drop(held);
        self.keep_if_approved(&made, report)?;
        Ok(Some(made))
    }

    /// The metrics of the scope alone.
    fn in_scope(&self, audit: &AuditReport) -> Result<AuditReport> {
        let scopes = &self.gate.policy().config.rules.scopes;
        let scope = self.args.scope.as_deref().map(|name| scope(name, scopes)).transpose()?;
        let mut audit = audit.clone();
        if let Some(scope) = scope.filter(|scope| !scope.metrics.is_empty()) {
            audit.audit.metrics.retain(|metric| scope.metrics.contains(&metric.id));
        }
        Ok(audit)
    }

    /// Fixes that came to their end and were not approved leave the branch as the plan made it. They stay reachable.
    fn keep_if_approved(&self, made: &IssuesReport, report: &ImproveReport) -> Result<()> {
        if made.ended_by.is_some() || made.commit.is_some() {
            return Ok(());
        }
        let Some(tip) = self.repo.branch(&made.branch)?.filter(|tip| Some(*tip) != report.plan.commit) else {
            return Ok(());
        };
        self.repo.keep_rejected(&self.identity.id, 1, tip)?;
        match report.plan.commit {
            Some(planned) => self.repo.move_branch(&made.branch, tip, planned),
            None => self.repo.delete_branch(&made.branch, tip),
        }
    }
}

/// Whether the plan did not come to its end.
fn is_stopped(report: &ImproveReport) -> bool {
    report.plan.steps.iter().any(|step| match step.outcome {
        StepOutcome::NotReached | StepOutcome::Ran(RunEnd::Result(RunOutcome::OverBudget)) => true,
        StepOutcome::Ran(_) | StepOutcome::Done | StepOutcome::Dropped | StepOutcome::Skipped => false,
    })
}
