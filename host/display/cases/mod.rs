//! Any report as cases with findings: what SARIF, JUnit and GitHub's commands have in common.

mod author;
mod case;

use std::borrow::Cow;

use guardhost_core::change::{Finding, Mode, RepoPath, Severity};
use guardhost_core::change::{RunEnd, RunOutcome, StepOutcome};
use guardhost_report::journal::History;

use super::labels;
use guardhost_report::{
    ApplyReport, CheckReport, DoctorRow, ExplainReport, FailureReport, GuardRow, Health, PinChange, PinsReport,
    Refusal, Report, StepReport,
};

use case::of_evidence;
pub use case::{Case, Outcome};

/// Of a run, the last round is what counts.
pub fn cases(report: &Report) -> Vec<Case<'_>> {
    match report {
        Report::Check(check) => of_check(check),
        Report::Apply(apply) => of_apply(apply),
        Report::Patch(patch) => of_apply(&patch.apply),
        Report::Log(runs) => runs.iter().map(of_past).collect(),
        Report::LogRun(run) => vec![of_past(run)],
        Report::Run(run) => match run.rounds.last() {
            Some(round) if round.check.is_some() => round.check.iter().flat_map(of_check).collect(),
            Some(round) => round.failure.iter().map(of_refusal).collect(),
            None => Vec::new(),
        },
        Report::Plan(plan) => {
            plan.judgement.evidence.iter().map(of_evidence).chain(plan.steps.iter().map(of_step)).collect()
        }
        Report::Author(report) => author::author(report),
        Report::Guards(rows) => rows.iter().map(of_guard).collect(),
        Report::GuardInfo(info) => vec![of_guard(&info.row)],
        Report::Explain(report) => of_explain(report),
        Report::Pins(report) => of_pins(report),
        Report::Doctor(rows) => rows.iter().map(of_doctor).collect(),
        Report::Failure(failure) => vec![of_failure(failure)],
    }
}

/// What the quotations of a report's findings are taken from.
pub fn check_of(report: &Report) -> Option<&CheckReport> {
    match report {
        Report::Check(check) => Some(check),
        Report::Apply(apply) => apply.check.as_ref(),
        Report::Patch(patch) => patch.apply.check.as_ref(),
        Report::Run(run) => run.rounds.last().and_then(|round| round.check.as_ref()),
        Report::Author(_)
        | Report::Plan(_)
        | Report::Guards(_)
        | Report::GuardInfo(_)
        | Report::Explain(_)
        | Report::Pins(_)
        | Report::Doctor(_)
        | Report::Log(_)
        | Report::LogRun(_)
        | Report::Failure(_) => None,
    }
}

fn of_apply(ApplyReport { check, refusal, .. }: &ApplyReport) -> Vec<Case<'_>> {
    refusal.iter().map(of_refusal).chain(check.iter().flat_map(of_check)).collect()
}

fn of_step(step: &StepReport) -> Case<'_> {
    let outcome = match step.outcome {
        StepOutcome::Ran(RunEnd::Result(outcome)) if outcome.is_accepted() => Outcome::Pass,
        // A guard that rejects is a failed test; one that breaks, or a patch that cannot be placed, is an error.
        StepOutcome::Ran(RunEnd::Result(RunOutcome::Rejected)) if step.is_rejected_by_guard => Outcome::Fail,
        StepOutcome::Ran(_) => Outcome::Error,
        StepOutcome::Done | StepOutcome::Dropped | StepOutcome::NotReached => Outcome::Skipped,
    };
    Case { reason: step.why.as_deref().map(Cow::Borrowed), micros: step.micros, ..Case::new(&step.id, outcome) }
}

/// Listed, not judged: nothing of it is news.
fn of_past(run: &History) -> Case<'_> {
    let reason = Some(Cow::Owned(format!("a past run: {}", labels::ending(run))));
    Case { reason, ..Case::new(&run.run, Outcome::Skipped) }
}

fn of_check(check: &CheckReport) -> Vec<Case<'_>> {
    check.refusal.iter().map(of_refusal).chain(check.judgement.evidence.iter().map(of_evidence)).collect()
}

fn of_pins(report: &PinsReport) -> Vec<Case<'_>> {
    report.changes.iter().map(|change| of_pin(change, report)).collect()
}

/// A verdict that flips is a failure of the guard that flips it.
fn of_pin<'a>(change: &'a PinChange, report: &'a PinsReport) -> Case<'a> {
    let side = change.to.as_ref().or(change.from.as_ref());
    let flips = report.backtests.iter().filter(|tested| tested.id == change.id).flat_map(|tested| &tested.flips);
    let flips: Vec<_> = flips.map(|flip| format!("{}: {} -> {}", flip.what, flip.before, flip.after)).collect();
    let (outcome, reason) = match flips.is_empty() {
        true => (Outcome::Pass, Cow::Borrowed(change.action)),
        false => (Outcome::Fail, Cow::Owned(flips.join("; "))),
    };
    Case {
        version: side.map_or("", |side| &side.version),
        digest: side.map_or("", |side| &side.digest),
        reason: Some(reason),
        ..Case::new(&change.id, outcome)
    }
}

fn of_refusal(refusal: &Refusal) -> Case<'_> {
    let finding = |path: Option<&RepoPath>, code: &str, message: &str| Finding {
        rule: code.to_owned(),
        severity: Severity::Error,
        path: path.map(ToString::to_string),
        line: None,
        end_line: None,
        message: message.to_owned(),
        help: None,
        fix: None,
    };
    let findings = if refusal.at.is_empty() {
        vec![finding(refusal.path.as_ref(), &refusal.code, &refusal.message)]
    } else {
        refusal.at.iter().map(|at| finding(Some(&at.path), at.code, &at.message)).collect()
    };
    Case { findings: Cow::Owned(findings), ..Case::new(refusal.kind, Outcome::Fail) }
}

fn of_guard(row: &GuardRow) -> Case<'_> {
    let GuardRow { id, mark, version, digest, mode, .. } = row;
    let reason = Some(Cow::Borrowed("listed, not run"));
    Case { mark, version, digest, reason, enforced: *mode == Mode::Enforce, ..Case::new(id, Outcome::Skipped) }
}

/// Told, not judged.
fn of_explain(report: &ExplainReport) -> Vec<Case<'_>> {
    match report {
        ExplainReport::All(rows) => rows.iter().map(|explained| of_guard(&explained.row)).collect(),
        ExplainReport::Guard(guard) => vec![of_guard(&guard.info.row)],
        ExplainReport::Rule(rule) => {
            vec![Case { mark: &rule.mark, ..Case::new(&rule.guard, Outcome::Skipped) }]
        }
    }
}

fn of_doctor(row: &DoctorRow) -> Case<'_> {
    let (outcome, severity) = match row.ok {
        Health::Pass => return Case::new(&row.name, Outcome::Pass),
        Health::Warn => (Outcome::Pass, Severity::Warning),
        Health::Fail => (Outcome::Fail, Severity::Error),
    };
    let finding = Finding {
        rule: "doctor".to_owned(),
        severity,
        path: None,
        line: None,
        end_line: None,
        message: row.detail.clone(),
        help: row.hint.clone(),
        fix: None,
    };
    Case { findings: Cow::Owned(vec![finding]), ..Case::new(&row.name, outcome) }
}

fn of_failure(failure: &FailureReport) -> Case<'_> {
    let mut text = std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    if let Some(hint) = &failure.hint {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    Case { reason: Some(Cow::Owned(text)), ..Case::new(failure.kind, Outcome::Error) }
}
