//! A plan's own guards, then its steps.

use guardhost_core::change::{LayerReport, PlanEdit, RepoPath};
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
        "layers": layers(&report.layers),
        "steps": report.steps.iter().map(step).collect::<Vec<_>>(),
        "notices": report.notices,
        "micros": report.micros,
    })
}

pub fn layers(layers: &[LayerReport]) -> Value {
    let named = |report: &LayerReport| {
        let mut value = json!({ "name": report.layer.name(), "event": report.event() });
        if let (Value::Object(value), Value::Object(edits)) = (&mut value, layer(report)) {
            value.extend(edits);
        }
        value
    };
    layers.iter().map(named).collect()
}

/// What a layer did, by kind.
pub fn layer(report: &LayerReport) -> Value {
    let (mut dropped, mut rewritten, mut inserted, mut reasons) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let paths = |paths: &[RepoPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    for edit in &report.edits {
        match edit {
            PlanEdit::Drop { step, reason } => dropped.push(json!({ "step": step, "reason": reason })),
            PlanEdit::RewriteHints { step, before, after, reason } => rewritten
                .push(json!({ "step": step, "before": paths(before), "after": paths(after), "reason": reason })),
            PlanEdit::Insert { step, reason } => {
                inserted.push(step);
                reasons.push(reason);
            }
        }
    }
    reasons.dedup();
    let mut value =
        json!({ "dropped": dropped, "rewritten": rewritten, "inserted": inserted, "inserted_because": reasons });
    if let (Value::Object(value), Some(guard)) = (&mut value, &report.guard) {
        value.insert("guard".into(), guard.id.clone().into());
    }
    value
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
