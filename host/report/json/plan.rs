//! A plan's own guards, then its steps.

use serde_json::{Value, json};

use super::check::evidence;
use super::oid;
use crate::{PlanReport, StepReport};

pub fn plan(report: &PlanReport) -> Value {
    json!({
        "plan": report.run,
        "base": oid(report.base),
        "branch": report.branch,
        "commit": oid(report.commit),
        "guards": report.judgement.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "steps": report.steps.iter().map(step).collect::<Vec<_>>(),
        "notices": report.notices,
        "micros": report.micros,
    })
}

fn step(step: &StepReport) -> Value {
    json!({
        "id": step.id,
        "title": step.title,
        "outcome": step.outcome,
        "why": step.why,
        "run": step.run,
        "commit": oid(step.commit),
        "rounds": step.rounds,
        "exit_code": step.exit_code,
        "micros": step.micros,
    })
}
