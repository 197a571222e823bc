//! Any report as a list of test cases, from which SARIF, JUnit and GitHub's commands are written.

mod audit;
mod author;
mod queue;
mod replay;
mod test_case;

use std::borrow::Cow;

use guardhost_core::change::{Finding, Mode, RepoPath, RunEnd, RunOutcome, Severity, StepOutcome};
use guardhost_core::issue::IssueStatus;
use serde_json::Value;

use super::labels;
use guardhost_report::{
    ApplyReport, CheckReport, DoctorRow, ExplainReport, FailureReport, GuardRow, Health, IssueReport, LanguageRow,
    LogRow, PinChange, PinsReport, PlanReport, PlanStepReport, RefusalReport, Report, SharedRun, StepReport,
    SubmitOutcome, SubmitReport,
};

pub use test_case::{CaseOutcome, TestCase};
use test_case::{finding, from_evidence};

/// For a run, only its last round counts.
pub fn test_cases(report: &Report) -> Vec<TestCase<'_>> {
    match report {
        Report::Check(check) => from_check(check),
        Report::Apply(apply) => from_apply(apply),
        Report::Patch(patch) => from_apply(&patch.apply),
        Report::Pull(report) => from_check(&report.check),
        // What a forge built is its own report.
        Report::Watch(_) | Report::PullStatus(_) => Vec::new(),
        Report::Queue(report) => queue::queue(report),
        Report::Log(report) => {
            let row = |row| match row {
                LogRow::Here(run) => from_recorded_run(&run.run, &labels::ending(run)),
                LogRow::Elsewhere(run) => from_shared_run(run),
            };
            report.rows().into_iter().map(row).collect()
        }
        Report::LogRun { run } => vec![from_recorded_run(&run.history.run, &labels::ending(&run.history.listed()))],
        Report::SharedRun { run } => vec![from_shared_run(&run.run)],
        Report::Diff(_) => Vec::new(),
        // The past is reported, not judged.
        Report::Init(_) | Report::Backtest(_) | Report::Suggest(_) => Vec::new(),
        Report::Taken(taken) => taken.check.iter().flat_map(from_check).collect(),
        Report::Run(run) => match run.rounds.last() {
            Some(round) if round.check.is_some() => round.check.iter().flat_map(from_check).collect(),
            Some(round) => round.failure.iter().map(from_refusal).collect(),
            None => Vec::new(),
        },
        Report::Plan(plan) => from_plan(plan).collect(),
        Report::Improve(report) => report.after.iter().flat_map(audit::audit).chain(from_plan(&report.plan)).collect(),
        Report::Review(report) => {
            from_check(&report.check).into_iter().chain(report.critics.evidence.iter().map(from_evidence)).collect()
        }
        Report::Replay(report) => replay::replay(report),
        Report::Fix(report) => report.issues.iter().map(from_issue).collect(),
        Report::MadePlan(report) => report.steps.iter().map(from_planned_step).collect(),
        Report::Author(report) => author::author(report),
        Report::Guards(list) => list.guards.iter().map(from_guard).collect(),
        Report::GuardInfo { guard } => vec![from_guard(&guard.row)],
        Report::LanguageInfo { language } => vec![from_language(&language.row)],
        Report::Explain(report) => from_explain(report),
        Report::Pins(report) => from_pins(report),
        Report::Doctor(report) => report.checks.iter().map(from_doctor).collect(),
        Report::Install(_) => Vec::new(),
        Report::Audit(report) => audit::audit(report),
        Report::Submit(report) => from_submitted(report),
        // The state of machines, and what became of many changes: not one change.
        Report::Fleet(_) | Report::Stats(_) => Vec::new(),
        Report::Failure { error } => vec![from_failure(error)],
    }
}

/// The check that the report's findings come from; its quotes are their source lines.
pub fn check_of(report: &Report) -> Option<&CheckReport> {
    match report {
        Report::Check(check) => Some(check),
        Report::Apply(apply) => apply.check.as_ref(),
        Report::Patch(patch) => patch.apply.check.as_ref(),
        Report::Run(run) => run.rounds.last().and_then(|round| round.check.as_ref()),
        Report::Taken(taken) => taken.check.as_ref(),
        Report::Review(report) => Some(&report.check),
        Report::Pull(report) => Some(&report.check),
        Report::Author(_)
        | Report::Watch(_)
        | Report::PullStatus(_)
        | Report::Queue(_)
        | Report::Plan(_)
        | Report::MadePlan(_)
        | Report::Replay(_)
        | Report::Fix(_)
        | Report::Improve(_)
        | Report::Guards(_)
        | Report::GuardInfo { .. }
        | Report::LanguageInfo { .. }
        | Report::Explain(_)
        | Report::Pins(_)
        | Report::Doctor(_)
        | Report::Install(_)
        | Report::Log(_)
        | Report::LogRun { .. }
        | Report::SharedRun { .. }
        | Report::Audit(_)
        | Report::Submit(_)
        | Report::Fleet(_)
        | Report::Stats(_)
        | Report::Diff(_)
        | Report::Init(_)
        | Report::Backtest(_)
        | Report::Suggest(_)
        | Report::Failure { .. } => None,
    }
}

fn from_apply(ApplyReport { check, refusal, .. }: &ApplyReport) -> Vec<TestCase<'_>> {
    refusal.iter().map(from_refusal).chain(check.iter().flat_map(from_check)).collect()
}

fn from_plan(plan: &PlanReport) -> impl Iterator<Item = TestCase<'_>> {
    plan.judgement.evidence.iter().map(from_evidence).chain(plan.steps.iter().map(from_step))
}

fn from_step(step: &StepReport) -> TestCase<'_> {
    let outcome = match step.outcome {
        StepOutcome::Ran(RunEnd::Result(outcome)) if outcome.is_accepted() => CaseOutcome::Pass,
        // A guard that rejects is a failed test; one that breaks, or a patch that cannot be placed, is an error.
        StepOutcome::Ran(RunEnd::Result(RunOutcome::Rejected)) if step.is_rejected_by_guard => CaseOutcome::Fail,
        StepOutcome::Ran(_) => CaseOutcome::Error,
        StepOutcome::Done | StepOutcome::Dropped | StepOutcome::Skipped | StepOutcome::NotReached => {
            CaseOutcome::Skipped
        }
    };
    TestCase { reason: step.why.as_deref().map(Cow::Borrowed), micros: step.micros, ..TestCase::new(&step.id, outcome) }
}

fn from_issue(issue: &IssueReport) -> TestCase<'_> {
    let outcome = match issue.status {
        IssueStatus::Resolved | IssueStatus::Merged => CaseOutcome::Pass,
        IssueStatus::Ignored | IssueStatus::Duplicate | IssueStatus::Open | IssueStatus::InProgress => {
            CaseOutcome::Skipped
        }
        IssueStatus::Touched | IssueStatus::Failed => CaseOutcome::Fail,
    };
    let why = issue.why.as_ref().map(|why| format!("{}: {why}", issue.status.as_str()));
    TestCase { reason: why.map(Cow::Owned), ..TestCase::new(&issue.id, outcome) }
}

/// A step of a plan that was made and not run.
fn from_planned_step(step: &PlanStepReport) -> TestCase<'_> {
    let reason = step.dropped.as_deref().unwrap_or("planned, not run");
    TestCase { reason: Some(Cow::Borrowed(reason)), ..TestCase::new(&step.id, CaseOutcome::Skipped) }
}

/// A recorded run is listed, not judged, so it is skipped.
fn from_recorded_run<'a>(run: &'a str, ending: &str) -> TestCase<'a> {
    let reason = Some(Cow::Owned(format!("a past run: {ending}")));
    TestCase { reason, ..TestCase::new(run, CaseOutcome::Skipped) }
}

fn from_shared_run(run: &SharedRun) -> TestCase<'_> {
    let machine = run.machine.as_deref().unwrap_or("another machine");
    let reason = Some(Cow::Owned(format!("a past run on {machine}: {}", run.ending.as_str())));
    TestCase { reason, ..TestCase::new(&run.run, CaseOutcome::Skipped) }
}

fn from_check(check: &CheckReport) -> Vec<TestCase<'_>> {
    check.refusal.iter().map(from_refusal).chain(check.judgement.evidence.iter().map(from_evidence)).collect()
}

fn from_pins(report: &PinsReport) -> Vec<TestCase<'_>> {
    report.changes.iter().map(|change| from_pin(change, report)).collect()
}

/// A pin fails when a backtest of its new version flips a verdict.
fn from_pin<'a>(change: &'a PinChange, report: &'a PinsReport) -> TestCase<'a> {
    let side = change.to.as_ref().or(change.from.as_ref());
    let flips =
        report.backtests.iter().filter(|backtest| backtest.id == change.id).flat_map(|backtest| &backtest.flips);
    let flips: Vec<_> = flips.map(|flip| format!("{}: {} -> {}", flip.what, flip.before, flip.after)).collect();
    let (outcome, reason) = match flips.is_empty() {
        true => (CaseOutcome::Pass, Cow::Borrowed(change.action.as_str())),
        false => (CaseOutcome::Fail, Cow::Owned(flips.join("; "))),
    };
    TestCase {
        version: side.map_or("", |side| &side.version),
        digest: side.map_or("", |side| &side.digest),
        reason: Some(reason),
        ..TestCase::new(&change.id, outcome)
    }
}

fn from_refusal(refusal: &RefusalReport) -> TestCase<'_> {
    let finding = |path: Option<&RepoPath>, code: &str, message: &str| Finding {
        path: path.map(ToString::to_string),
        ..finding(code, Severity::Error, message)
    };
    let findings = if refusal.at.is_empty() {
        vec![finding(refusal.path.as_ref(), &refusal.code, &refusal.message)]
    } else {
        refusal.at.iter().map(|at| finding(Some(&at.path), at.code, &at.message)).collect()
    };
    TestCase { findings: Cow::Owned(findings), ..TestCase::new(refusal.kind.as_str(), CaseOutcome::Fail) }
}

fn from_guard(row: &GuardRow) -> TestCase<'_> {
    let GuardRow { id, mark, version, digest, mode, .. } = row;
    let reason = Some(Cow::Borrowed("listed, not run"));
    TestCase {
        mark,
        version,
        digest,
        reason,
        enforced: *mode == Mode::Enforce,
        ..TestCase::new(id, CaseOutcome::Skipped)
    }
}

fn from_language(row: &LanguageRow) -> TestCase<'_> {
    let LanguageRow { id, version, digest, .. } = row;
    let reason = Some(Cow::Borrowed("listed, not run"));
    TestCase { version, digest, reason, ..TestCase::new(id, CaseOutcome::Skipped) }
}

/// Explained guards are skipped, since they judge nothing.
fn from_explain(report: &ExplainReport) -> Vec<TestCase<'_>> {
    match report {
        ExplainReport::All { guards } => guards.iter().map(|explained| from_guard(&explained.row)).collect(),
        ExplainReport::Guard { guard } => vec![from_guard(&guard.info.row)],
        ExplainReport::Rule { rule } => {
            let reason = Some(Cow::Borrowed("explained, not run"));
            vec![TestCase { mark: &rule.mark, reason, ..TestCase::new(&rule.guard, CaseOutcome::Skipped) }]
        }
    }
}

fn from_doctor(row: &DoctorRow) -> TestCase<'_> {
    let (outcome, severity) = match row.ok {
        Health::Pass => return TestCase::new(&row.name, CaseOutcome::Pass),
        Health::Warn => (CaseOutcome::Pass, Severity::Warning),
        Health::Fail => (CaseOutcome::Fail, Severity::Error),
    };
    let finding = Finding { help: row.hint.clone(), ..finding("doctor", severity, &row.detail) };
    TestCase { findings: Cow::Owned(vec![finding]), ..TestCase::new(&row.name, outcome) }
}

/// The check of a worker is JSON: a case for each guard in it, or one for the job.
fn from_submitted(report: &SubmitReport) -> Vec<TestCase<'_>> {
    let guards = report.check.as_ref().and_then(|check| check["guards"].as_array());
    match (guards, report.outcome) {
        (Some(guards), SubmitOutcome::Accepted | SubmitOutcome::Rejected | SubmitOutcome::Failed) => {
            guards.iter().map(from_submitted_guard).collect()
        }
        (_, outcome) => {
            let outcome = match outcome {
                SubmitOutcome::Accepted => CaseOutcome::Pass,
                SubmitOutcome::Rejected | SubmitOutcome::Refused => CaseOutcome::Fail,
                SubmitOutcome::Failed | SubmitOutcome::Dead | SubmitOutcome::Unbelieved => CaseOutcome::Error,
                SubmitOutcome::Waiting => CaseOutcome::Skipped,
            };
            let reason = report.reason.as_deref().map(Cow::Borrowed);
            vec![TestCase { reason, ..TestCase::new("submit", outcome) }]
        }
    }
}

fn from_submitted_guard(guard: &Value) -> TestCase<'_> {
    let text = |name: &str| guard[name].as_str().unwrap_or_default();
    let outcome = match text("verdict") {
        "pass" => CaseOutcome::Pass,
        "reject" => CaseOutcome::Fail,
        "not-applicable" => CaseOutcome::Skipped,
        // What is unknown is no success.
        _ => CaseOutcome::Error,
    };
    let findings = guard["findings"].as_array().into_iter().flatten();
    let findings = findings.filter_map(|finding| serde_json::from_value::<Finding>(finding.clone()).ok());
    TestCase {
        mark: text("g"),
        version: text("version"),
        digest: text("digest"),
        reason: guard["reason"].as_str().map(Cow::Borrowed),
        findings: findings.collect(),
        enforced: text("mode") != "monitor",
        ..TestCase::new(text("id"), outcome)
    }
}

fn from_failure(failure: &FailureReport) -> TestCase<'_> {
    let mut text = std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    if let Some(hint) = &failure.hint {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    for other in &failure.others {
        text.push('\n');
        text.push_str(&other.message);
    }
    TestCase { reason: Some(Cow::Owned(text)), ..TestCase::new(failure.kind, CaseOutcome::Error) }
}
