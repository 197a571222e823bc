//! The exit code of the process, from what a command came to. Nothing else is decided by these numbers.

use guardhost_core::change::{Evidence, Failed, GuardVerdict, Judgement, Mode, RunEnd, RunOutcome, Verdict};
use guardhost_core::error::FaultKind;
use guardhost_core::stop::Stopped;
use guardhost_core::vote::Approval;
use guardhost_report::{
    ApplyReport, AuditReport, AuthorReport, BuildsOutcome, CheckReport, ImproveReport, IssuesReport, Mergeability,
    PlanReport, PullReport, Report, RunReport, SubmitOutcome, TakenAction, VerdictKind,
};

const ACCEPTED: u8 = 0;
const NOT_ACCEPTED: u8 = 1;

fn from_issues(report: &IssuesReport) -> u8 {
    match (report.is_done(), report.ended_by) {
        (true, _) => ACCEPTED,
        (false, Some(RunEnd::Failed(kind))) => kind.exit_code(),
        (false, Some(RunEnd::Result(RunOutcome::OverBudget))) => FaultKind::Provider.exit_code(),
        // A batch that guards could not judge is no rejection.
        (false, Some(RunEnd::Result(_)) | None) => {
            let last = report.batches.last().map_or(NOT_ACCEPTED, |batch| batch.step.exit_code);
            let unjudged = [FaultKind::GuardLoad.exit_code(), FaultKind::GuardRun.exit_code()].contains(&last);
            if unjudged { last } else { NOT_ACCEPTED }
        }
    }
}

/// That of the first part that was not taken: the plan, the fixes, the votes.
fn from_improvement(report: &ImproveReport) -> u8 {
    let fixes = report.fixes.as_ref().map_or(ACCEPTED, from_issues);
    let votes =
        report.votes.as_ref().map_or(ACCEPTED, |voted| if voted.is_approved() { ACCEPTED } else { NOT_ACCEPTED });
    [from_plan(&report.plan), fixes, votes].into_iter().find(|code| *code != ACCEPTED).unwrap_or(ACCEPTED)
}

/// The exit codes are listed in README.md and `docs/json.md`.
pub fn from_report(report: &Report) -> u8 {
    match report {
        Report::Check(check) => from_check(check),
        Report::Apply(apply) => from_apply(apply),
        Report::Run(run) => from_run(run),
        Report::Patch(patch) => match patch.outcome {
            RunOutcome::OverBudget => FaultKind::Provider.exit_code(),
            RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange | RunOutcome::Rejected => {
                from_apply(&patch.apply)
            }
        },
        Report::Review(report) => {
            match (from_check(&report.check), from_judgement(&report.critics), &report.approval) {
                // A critic that a pin enforces.
                (ACCEPTED, code, _) if code != ACCEPTED => code,
                (ACCEPTED, _, Approval::Refused { .. }) => NOT_ACCEPTED,
                // Whoever asks and hears nothing does not know more than before.
                (ACCEPTED, ..) if report.is_unread() => match from_judgement(&report.critics.enforced()) {
                    ACCEPTED => FaultKind::GuardRun.exit_code(),
                    code => code,
                },
                (code, _, Approval::Approved { .. } | Approval::NotAsked(_) | Approval::Refused { .. }) => code,
            }
        }
        Report::Fix(report) => from_issues(report),
        Report::Pull(report) => from_pull(report),
        Report::Watch(report) => from_builds(report.outcome),
        Report::PullStatus(report) => match report.pull.as_ref().map(|pull| (pull.outcome, pull.merge)) {
            None => FaultKind::Nothing.exit_code(),
            Some((_, Mergeability::Conflicts)) => NOT_ACCEPTED,
            Some((None, _)) => ACCEPTED,
            Some((Some(outcome), _)) => from_builds(outcome),
        },
        Report::Queue(report) => match (report.pulls.is_empty(), report.all_fit()) {
            (true, _) => FaultKind::Nothing.exit_code(),
            (false, true) => ACCEPTED,
            (false, false) => NOT_ACCEPTED,
        },
        // What differs, and what cannot be judged again, is not what was recorded.
        Report::Replay(report) if !report.is_same() => NOT_ACCEPTED,
        Report::Plan(plan) => from_plan(plan),
        Report::Improve(report) => match from_improvement(report) {
            ACCEPTED if report.before.iter().chain(&report.after).any(AuditReport::has_failure) => {
                FaultKind::GuardRun.exit_code()
            }
            ACCEPTED => match (&report.pull, &report.watch) {
                (Some(pull), None) => from_pull(pull),
                (_, Some(watch)) => from_builds(watch.outcome),
                (None, None) => ACCEPTED,
            },
            code => code,
        },
        Report::Doctor(report) if !report.is_ok() => FaultKind::Config.exit_code(),
        Report::Author(report) => from_author(report),
        Report::Taken(taken) => match taken.action {
            TakenAction::Rejected => {
                taken.check.as_ref().map_or(NOT_ACCEPTED, |check| from_rejection(&check.judgement))
            }
            TakenAction::FastForwarded
            | TakenAction::Merged
            | TakenAction::Staged
            | TakenAction::AlreadyAccepted
            | TakenAction::Discarded => ACCEPTED,
        },
        Report::Pins(report) if report.held => FaultKind::Config.exit_code(),
        // What an analyzer could not tell is no score.
        Report::Audit(report) if report.has_failure() => FaultKind::GuardRun.exit_code(),
        Report::Submit(report) => match report.outcome {
            SubmitOutcome::Accepted => ACCEPTED,
            SubmitOutcome::Rejected => NOT_ACCEPTED,
            SubmitOutcome::Failed => FaultKind::GuardRun.exit_code(),
            SubmitOutcome::Refused | SubmitOutcome::Dead | SubmitOutcome::Unbelieved => FaultKind::Git.exit_code(),
            SubmitOutcome::Waiting => FaultKind::Nothing.exit_code(),
        },
        Report::Backtest(report) => from_past(report.ended_by),
        Report::Suggest(report) => from_past(report.ended_by),
        Report::Audit(_)
        | Report::Replay(_)
        | Report::Fleet(_)
        | Report::Stats(_)
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
        | Report::Diff(_)
        | Report::MadePlan(_)
        | Report::Init(_) => ACCEPTED,
        Report::Failure { error } => error.exit_code,
    }
}

fn from_pull(report: &PullReport) -> u8 {
    match (&report.pull, from_check(&report.check)) {
        (None, code) => code.max(NOT_ACCEPTED),
        (Some(_), _) => ACCEPTED,
    }
}

fn from_builds(outcome: BuildsOutcome) -> u8 {
    match outcome {
        BuildsOutcome::Success => ACCEPTED,
        BuildsOutcome::NoRuns | BuildsOutcome::Skipped => FaultKind::Nothing.exit_code(),
        BuildsOutcome::Failure
        | BuildsOutcome::Timeout
        | BuildsOutcome::ActionRequired
        | BuildsOutcome::Superseded
        | BuildsOutcome::Closed => NOT_ACCEPTED,
    }
}

pub fn from_run(run: &RunReport) -> u8 {
    match run.outcome {
        RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange => ACCEPTED,
        RunOutcome::OverBudget => FaultKind::Provider.exit_code(),
        RunOutcome::Rejected => match run.rounds.last().and_then(|round| round.check.as_ref()) {
            Some(check) => from_rejection(&check.judgement),
            None => FaultKind::Git.exit_code(),
        },
    }
}

/// A guard of the plan stage that failed decides; one that drops a step is no failure. Then the first step that was not accepted.
fn from_plan(plan: &PlanReport) -> u8 {
    match plan.judgement.verdict() {
        Verdict::Error => from_judgement(&plan.judgement),
        Verdict::Pass | Verdict::Reject => {
            let failed = plan.steps.iter().find(|step| step.outcome.failure().is_some());
            failed.map_or(ACCEPTED, |step| step.exit_code)
        }
    }
}

fn from_check(check: &CheckReport) -> u8 {
    match &check.refusal {
        Some(_) => FaultKind::Git.exit_code(),
        None => match (from_judgement(&check.judgement), &check.triage) {
            (ACCEPTED, Some(triage)) if triage.is_as_wanted() == Some(false) => NOT_ACCEPTED,
            (code, _) => code,
        },
    }
}

fn from_apply(apply: &ApplyReport) -> u8 {
    match (&apply.refusal, &apply.check) {
        (_, Some(check)) if !check.judgement.is_accepted() => from_judgement(&check.judgement),
        (Some(_), _) => FaultKind::Git.exit_code(),
        (None, _) => ACCEPTED,
    }
}

fn from_author(report: &AuthorReport) -> u8 {
    match report {
        AuthorReport::CaseResults(results) if results.failed() > 0 => NOT_ACCEPTED,
        AuthorReport::Range(report) if report.past.count(VerdictKind::Reject) > 0 => NOT_ACCEPTED,
        AuthorReport::Range(report) if report.past.count(VerdictKind::Error) > 0 => FaultKind::GuardRun.exit_code(),
        AuthorReport::Certificate(certificate) if !certificate.is_granted() => NOT_ACCEPTED,
        AuthorReport::NewGuard(_)
        | AuthorReport::Built(_)
        | AuthorReport::CaseResults(_)
        | AuthorReport::Range(_)
        | AuthorReport::BenchResult(_)
        | AuthorReport::Certificate(_) => ACCEPTED,
    }
}

/// A rejected run never exits with 0, even if the guards accepted its last candidate.
fn from_rejection(judgement: &Judgement) -> u8 {
    match from_judgement(judgement) {
        ACCEPTED => NOT_ACCEPTED,
        code => code,
    }
}

/// 0; 1 when a guard rejects. When none does: 7 when the machine failed, 4 when a guard could not be loaded, 5 when one failed while
/// running.
fn from_judgement(judgement: &Judgement) -> u8 {
    let has_failed = |what: Failed| {
        judgement.evidence.iter().any(|evidence| match evidence {
            Evidence { mode: Mode::Enforce, verdict: GuardVerdict::Error { failed, .. }, .. } => *failed == what,
            _ => false,
        })
    };
    match judgement.verdict() {
        Verdict::Pass => ACCEPTED,
        Verdict::Reject => NOT_ACCEPTED,
        // What else failed, failed on the same machine.
        Verdict::Error if has_failed(Failed::Machine) || has_failed(Failed::PartialClone) => FaultKind::Git.exit_code(),
        Verdict::Error if has_failed(Failed::Load) => FaultKind::GuardLoad.exit_code(),
        Verdict::Error => FaultKind::GuardRun.exit_code(),
    }
}

/// A backtest judges past commits only, so rejections among them are a success of the command.
fn from_past(ended_by: Option<&str>) -> u8 {
    match ended_by {
        None => ACCEPTED,
        Some(code) if code == Stopped::Interrupted.code() => FaultKind::Interrupted.exit_code(),
        Some(_) => FaultKind::Provider.exit_code(),
    }
}
