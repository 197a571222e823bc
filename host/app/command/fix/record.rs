//! The records of a run of `host fix`: its start and its end.

use std::time::Instant;

use guardhost_core::change::{RunEnd, RunOutcome, StepOutcome};
use guardhost_core::error::{Context, Result, kind};
use guardhost_policy::Policy;
use guardhost_report::journal::{Actor, Decision, Object, ObjectBody, Origin, Records, Run, RunCommand};
use guardhost_report::{BatchReport, IssuesReport};

use super::resume::Begun;

pub fn start(records: &Records, id: &str, branch: &str, begun: &Begun, issues: usize, policy: &Policy) -> Result<()> {
    let run = Run {
        command: RunCommand::Fix,
        task: format!("fix {issues} issue{}", if issues == 1 { "" } else { "s" }),
        origin: Origin {
            rules_tree: Some(begun.rules.to_string()),
            resumes: begun.resumes.clone(),
            ..Origin::default()
        },
        commit: begun.base.commit.map(|oid| oid.to_string()),
        guards: policy.guards.ids(),
        branch: Some(branch.to_owned()),
        ..Run::default()
    };
    records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()))
}

/// Nothing had to change.
fn is_unneeded(batch: &BatchReport) -> bool {
    batch.step.outcome == StepOutcome::Ran(RunEnd::Result(RunOutcome::NoChange))
}

pub fn end(records: &Records, id: &str, made: &Result<IssuesReport>, begun: Instant) -> Result<()> {
    let commit = made.as_ref().ok().and_then(|report| report.commit);
    let (end, rationale) = match made {
        Err(error) => (RunEnd::Failed(kind(error)), Some(format!("{error:#}"))),
        Ok(IssuesReport { ended_by: Some(end), .. }) => (*end, Some("it stopped before its end".to_owned())),
        Ok(report) if report.commit.is_some() => (RunEnd::Result(RunOutcome::Committed), None),
        Ok(report) if report.batches.iter().all(is_unneeded) => (RunEnd::Result(RunOutcome::NoChange), None),
        Ok(report) => {
            let why = report.reviews.last().and_then(|review| review.why.clone());
            (RunEnd::Result(RunOutcome::Rejected), why)
        }
    };
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let decision = Decision { rationale, ..Decision::end_of(id, end, micros) }.with_commit(commit);
    records
        .record(&Object::new(ObjectBody::Decision(decision), Actor::host()))
        .context("cannot record the end of the run")
}
