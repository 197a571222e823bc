//! The records of a run of `host improve`: its start and its end.

use std::time::Instant;

use guardhost_core::change::{RunEnd, RunOutcome, StepOutcome, Usage};
use guardhost_core::error::{Context, Result, kind};
use guardhost_policy::Policy;
use guardhost_report::ImproveReport;
use guardhost_report::journal::{Actor, Decision, Object, ObjectBody, Origin, Records, Run, RunCommand};

use super::left::LeftToImprove;
use super::micros;
use crate::cli::ImproveArgs;

pub fn start(
    records: &Records,
    id: &str,
    branch: &str,
    left: &LeftToImprove,
    args: &ImproveArgs,
    policy: &Policy,
) -> Result<()> {
    let scope = args.scope.as_ref().map(|scope| format!(" ({scope})")).unwrap_or_default();
    let run = Run {
        command: RunCommand::Improve,
        task: format!("improve what an audit finds{scope}"),
        origin: Origin { rules_tree: Some(left.rules.to_string()), resumes: left.resumes.clone(), ..Origin::default() },
        commit: left.base.commit.map(|oid| oid.to_string()),
        guards: policy.guards.ids(),
        branch: Some(branch.to_owned()),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()))
}

pub fn end(records: &Records, id: &str, made: &Result<ImproveReport>, begun: Instant) -> Result<()> {
    let commit = made.as_ref().ok().and_then(|report| report.commit);
    let (end, rationale) = match made {
        Err(error) => (RunEnd::Failed(kind(error)), Some(format!("{error:#}"))),
        Ok(report) => match failure(report) {
            Some((end, why)) => (end, why),
            None if commit.is_some() => (RunEnd::Result(RunOutcome::Committed), None),
            None => (RunEnd::Result(RunOutcome::NoChange), None),
        },
    };
    let spent = made.as_ref().map_or_else(|_| Usage::default(), |report| report.planning);
    let decision = Decision { rationale, spent, ..Decision::end_of(id, end, micros(begun)) }.with_commit(commit);
    records
        .record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
        .context("cannot record the end of the run")
}

/// The first thing that was not taken, in the order of the run: a step, the fixes, the votes.
fn failure(report: &ImproveReport) -> Option<(RunEnd, Option<String>)> {
    let failed = |outcome: &StepOutcome| outcome.failure();
    if let Some((step, end)) = report.plan.steps.iter().find_map(|step| Some((step, failed(&step.outcome)?))) {
        return Some((end, step.why.clone()));
    }
    if let Some(fixes) = report.fixes.as_ref().filter(|fixes| !fixes.is_done()) {
        let why = fixes.reviews.last().and_then(|review| review.why.clone());
        let why = why.unwrap_or_else(|| "issues that the audit left are not fixed".to_owned());
        return Some((fixes.ended_by.unwrap_or(RunEnd::Result(RunOutcome::Rejected)), Some(why)));
    }
    let refused = report.votes.as_ref().filter(|voted| !voted.is_approved())?;
    Some((RunEnd::Result(RunOutcome::Rejected), refused.why()))
}
