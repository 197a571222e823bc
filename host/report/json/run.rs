//! A run's end, then its rounds.

use serde_json::{Value, json};

use super::check::check;
use super::oid;
use super::refusal::refusal;
use crate::{RoundReport, RunReport};

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
