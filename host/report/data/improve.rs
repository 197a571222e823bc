//! `host improve`: what a tree scored before and behind the steps of a plan.

use guardhost_core::change::{Oid, Usage};
use guardhost_core::vote::{Approval, Vote};
use guardhost_core::written::OptionalHex;
use guardhost_core::written_from;
use schemars::JsonSchema;
use serde::Serialize;

use super::audit::fraction;
use super::{AuditReport, IssuesReport, PlanReport, PullReport, Refined, WatchReport};

#[derive(Debug, Clone, Default)]
pub struct ImproveReport {
    pub run: String,
    pub base: Option<Oid>,
    /// Before the first step; None when a resumed run no longer has it.
    pub before: Option<AuditReport>,
    /// Of the last commit; None when nothing was committed.
    pub after: Option<AuditReport>,
    /// As far as the provider reports it.
    pub planning: Usage,
    /// The layers and the steps. Without a step there was nothing to do.
    pub plan: PlanReport,
    /// What the audit still found behind the plan, as issues; None when no reviewer was named, or nothing was left.
    pub fixes: Option<IssuesReport>,
    /// What was made of critics' objections to all commits together; None when no refiner is named, or nothing was committed.
    pub refined: Option<Refined>,
    /// What voters say of all commits together; None when none was named, or nothing was committed.
    pub votes: Option<Voted>,
    /// The last commit that can be accepted: of the plan, of the fixes if they are approved, the refined one, or that which mended a build; None when the votes refuse it.
    pub commit: Option<Oid>,
    pub pull: Option<Box<PullReport>>,
    /// What its builds came to.
    pub watch: Option<Box<WatchReport>>,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "voted")]
pub struct Voted {
    #[serde(flatten)]
    pub approval: Approval,
    pub votes: Vec<Vote>,
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

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "improve")]
struct ImproveKeys<'a> {
    run: &'a str,
    #[serde(with = "OptionalHex")]
    base: Option<Oid>,
    /// The last that can be accepted.
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    /// One commit for each accepted step.
    branch: &'a str,
    metrics: Vec<ComparedMetric<'a>>,
    before: Option<&'a AuditReport>,
    after: Option<&'a AuditReport>,
    planning: Usage,
    plan: &'a PlanReport,
    /// With `--reviewer`: issues found after the plan.
    fixes: Option<&'a IssuesReport>,
    /// With `--refine`.
    refined: Option<&'a Refined>,
    /// With `--voter`.
    votes: Option<&'a Voted>,
    pull: Option<&'a PullReport>,
    watch: Option<&'a WatchReport>,
    notices: &'a [String],
    micros: u64,
}

/// From 0 to 1; `null`: not measured.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "comparedMetric")]
struct ComparedMetric<'a> {
    id: &'a str,
    before: Option<f64>,
    after: Option<f64>,
}

impl<'a> From<&'a ImproveReport> for ImproveKeys<'a> {
    fn from(report: &'a ImproveReport) -> Self {
        ImproveKeys {
            run: &report.run,
            base: report.base,
            commit: report.commit,
            branch: &report.plan.branch,
            metrics: report.before.as_ref().map(|before| compared(before, report.after.as_ref())).unwrap_or_default(),
            before: report.before.as_ref(),
            after: report.after.as_ref(),
            planning: report.planning,
            plan: &report.plan,
            fixes: report.fixes.as_ref(),
            refined: report.refined.as_ref(),
            votes: report.votes.as_ref(),
            pull: report.pull.as_deref(),
            watch: report.watch.as_deref(),
            notices: &report.notices,
            micros: report.micros,
        }
    }
}

written_from!(ImproveReport, ImproveKeys<'_>);

/// Each metric of `before` with both scores.
fn compared<'a>(before: &'a AuditReport, after: Option<&AuditReport>) -> Vec<ComparedMetric<'a>> {
    let metrics = before.audit.metrics.iter();
    metrics
        .map(|metric| ComparedMetric {
            id: &metric.id,
            before: metric.score().map(fraction),
            after: after.and_then(|after| after.audit.metric(&metric.id)?.score()).map(fraction),
        })
        .collect()
}
