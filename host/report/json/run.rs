//! What a change came to.

use serde_json::{Value, json};

use super::check::{check, evidence, oid, refusal};
use crate::{ApplyReport, PatchReport, PlanReport, RoundReport, RunReport, StepReport};

pub fn apply(report: &ApplyReport) -> Value {
    json!({
        "applied": report.applied,
        "strategy": report.strategy,
        "touched": report.touched,
        "notes": report.notes,
        "refusal": report.refusal.as_ref().map(refusal),
        "dry_run": report.dry_run,
        "check": report.check.as_ref().map(check),
    })
}

/// Everything that `host apply` says, and more.
pub fn patch(report: &PatchReport) -> Value {
    let mut value = apply(&report.apply);
    value["run"] = json!(report.run);
    value["outcome"] = json!(report.outcome);
    value["source"] = json!(report.source);
    value["target"] = json!(report.target);
    value["error"] = json!(report.error.as_ref().map(|error| json!({ "code": error.code, "message": error.message })));
    value["rounds"] = json!(report.rounds);
    value["artifacts"] = report.artifacts.iter().map(|path| path.to_string_lossy()).collect();
    value["notices"] = json!(report.notices);
    value["micros"] = json!(report.micros);
    value
}

pub fn run(report: &RunReport) -> Value {
    json!({
        "run": report.run,
        "outcome": report.outcome,
        "task": report.task,
        "base": oid(report.base),
        "branch": report.branch,
        "commit": oid(report.commit),
        "rounds": report.rounds.iter().map(round).collect::<Vec<_>>(),
        "rounds_max": report.rounds_max,
        "cycle": report.cycle,
        "diff": report.diff,
        "why": report.why,
        "budget": report.budget,
        "spent": report.spent,
        "trace": report.trace.as_ref().map(|path| path.to_string_lossy()),
        "notices": report.notices,
        "micros": report.micros,
    })
}

pub fn plan(report: &PlanReport) -> Value {
    let step = |step: &StepReport| {
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
    };
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

fn round(round: &RoundReport) -> Value {
    let failed = round.failed.iter().map(|(provider, reason)| json!({ "provider": provider, "reason": reason }));
    json!({
        "round": round.round,
        "prompt": round.prompt,
        "provider": round.provider,
        "model": round.model,
        "recorded": round.recorded,
        "usage": round.usage,
        "micros": round.micros,
        "failed": failed.collect::<Vec<_>>(),
        "notes": round.notes,
        "format": round.format,
        "strategy": round.strategy,
        "touched": round.touched,
        "setback": round.failure.as_ref().map(refusal),
        "check": round.check.as_ref().map(check),
        "feedback": round.feedback,
        "kept": round.kept,
    })
}
