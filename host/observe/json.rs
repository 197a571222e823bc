//! The JSON of every report. Scripts rely on it: fields are added, never renamed (`schema_version` 1).

use serde_json::{Value, json};

use crate::change::{Evidence, Oid};

use super::fixing::FixReport;
use super::pins::{Backtest, Flip, GuardInfo, PinChange, PinSide, PinsReport};
use super::report::{
    ApplyReport, CheckReport, DoctorRow, FailureReport, GuardRow, Health, PatchReport, PlanReport, Refusal, Report,
    RoundReport, RunReport, StepReport,
};
use super::{author, explain, harmless, log};

pub fn render(report: &Report) -> Vec<u8> {
    let mut value = json!({ "schema_version": 1 });
    let body = match report {
        Report::Check(report) => check(report),
        Report::Apply(report) => apply(report),
        Report::Run(report) => run(report),
        Report::Plan(report) => plan(report),
        Report::Patch(report) => patch(report),
        Report::Log(runs) => json!({ "runs": runs.iter().map(log::summary).collect::<Vec<_>>() }),
        Report::LogRun(run) => json!({ "run": log::detail(run) }),
        Report::Guards(rows) => json!({ "guards": rows.iter().map(guard_row).collect::<Vec<_>>() }),
        Report::GuardInfo(info) => guard_info(info),
        Report::Explain(report) => explain::json(report),
        Report::Pins(report) => pins(report),
        Report::Author(report) => author::json::author(report),
        Report::Doctor(rows) => doctor(rows),
        Report::Failure(report) => failure(report),
    };
    if let (Value::Object(value), Value::Object(body)) = (&mut value, body) {
        value.extend(body);
    }
    harmless::json(&value)
}

/// Without `schema_version`; a record keeps it as `judgement.json`.
pub fn check(report: &CheckReport) -> Value {
    json!({
        "verdict": report.verdict(),
        "base": oid(report.base),
        "candidate": oid(report.candidate),
        "guards": report.judgement.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "refusal": report.refusal.as_ref().map(refusal),
        "notes": report.notes,
        "notices": report.notices,
        "fixed": report.fixed.as_ref().map(fixed),
    })
}

fn fixed(report: &FixReport) -> Value {
    json!({
        "applied": report.applied,
        "fixes": report.fixes,
        "reason": report.reason,
        "before": report.before.as_deref().map(check),
    })
}

/// One guard's run; also the data of the trace's `judged`.
pub fn evidence(evidence: &Evidence) -> Value {
    json!({
        "id": evidence.id,
        "g": evidence.mark,
        "version": evidence.version,
        "digest": evidence.digest,
        "verdict": evidence.verdict.word(),
        "reason": evidence.verdict.reason(),
        "micros": evidence.micros,
        "fuel": evidence.fuel,
        "cached": evidence.cached,
        "findings": evidence.verdict.findings(),
        "mode": evidence.mode,
        "code": evidence.verdict.code(),
        "metrics": evidence.metrics,
        "log": evidence.log,
    })
}

fn apply(report: &ApplyReport) -> Value {
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
fn patch(report: &PatchReport) -> Value {
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

fn refusal(refusal: &Refusal) -> Value {
    json!({
        "kind": refusal.kind,
        "code": refusal.code,
        "path": refusal.path,
        "message": refusal.message,
        "at": refusal.at,
    })
}

fn run(report: &RunReport) -> Value {
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

fn plan(report: &PlanReport) -> Value {
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
        "setback": round.setback.as_ref().map(refusal),
        "check": round.check.as_ref().map(check),
        "feedback": round.feedback,
        "kept": round.kept,
    })
}

fn guard_row(row: &GuardRow) -> Value {
    json!({
        "id": row.id,
        "g": row.mark,
        "version": row.version,
        "source": row.source,
        "digest": row.digest,
        "mode": row.mode,
        "size": row.size,
        "imports": row.imports,
        "grants": row.grants,
        "promise": row.promise,
    })
}

pub(super) fn guard_info(info: &GuardInfo) -> Value {
    let mut value = guard_row(&info.row);
    value["pinned"] = json!(info.pinned);
    value["rights"] = info.rights.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect();
    value["exports"] = json!(info.exports);
    value["toolchain"] = json!(info.toolchain);
    value["stages"] = json!(info.stages);
    value["globs"] = json!(info.globs);
    // A guard's own text: JSON if it keeps the contract.
    value["settings_schema"] = serde_json::from_str(&info.settings_schema).unwrap_or(json!(info.settings_schema));
    json!({ "guard": value })
}

fn pins(report: &PinsReport) -> Value {
    let side = |side: &PinSide| {
        json!({
            "version": side.version,
            "digest": side.digest,
            "size": side.size,
            "source": side.source,
            "signers": side.signers,
        })
    };
    let change = |change: &PinChange| {
        json!({
            "id": change.id,
            "action": change.action,
            "from": change.from.as_ref().map(side),
            "to": change.to.as_ref().map(side),
            "imports_gained": change.imports_gained,
            "imports_lost": change.imports_lost,
            "settings_changed": change.settings_changed,
            "notes": change.notes,
        })
    };
    let flip = |flip: &Flip| {
        json!({
            "what": flip.what,
            "subject": flip.subject,
            "before": flip.before,
            "after": flip.after,
            "reasons": flip.reasons,
        })
    };
    let backtest = |tested: &Backtest| {
        json!({
            "id": tested.id,
            "from": tested.from,
            "to": tested.to,
            "commits": tested.commits,
            "rejected": tested.rejected,
            "flips": tested.flips.iter().map(flip).collect::<Vec<_>>(),
        })
    };
    json!({
        "command": report.command,
        "dry_run": report.dry_run,
        "held": report.held,
        "written": report.written,
        "changes": report.changes.iter().map(change).collect::<Vec<_>>(),
        "backtests": report.backtests.iter().map(backtest).collect::<Vec<_>>(),
        "notices": report.notices,
    })
}

fn doctor(rows: &[DoctorRow]) -> Value {
    let checks =
        rows.iter().map(|row| json!({ "name": row.name, "ok": row.ok.word(), "detail": row.detail, "hint": row.hint }));
    json!({ "ok": rows.iter().all(|row| row.ok != Health::Fail), "checks": checks.collect::<Vec<_>>() })
}

fn failure(report: &FailureReport) -> Value {
    json!({ "error": {
        "kind": report.kind,
        "code": report.code,
        "message": report.message,
        "causes": report.causes,
        "hint": report.hint,
        "exit_code": report.exit_code,
    } })
}

fn oid(oid: Option<Oid>) -> Option<String> {
    oid.map(|oid| oid.to_string())
}
