//! Judgements that were repeated, a case each: the guards of every change, and what is wrong with the records.

use std::borrow::Cow;

use guardhost_report::{ChangeReplay, GuardOutcome, GuardReplay, RecordProblem, ReplayReport};

use super::{CaseOutcome, TestCase};

pub fn replay(report: &ReplayReport) -> Vec<TestCase<'_>> {
    let of_runs = report.runs.iter().flat_map(|run| {
        run.all_problems()
            .map(problem)
            .chain(run.changes.iter().flat_map(|change: &ChangeReplay| change.guards.iter().map(guard)))
    });
    let of_commit = report.commit.iter().map(|commit| {
        let outcome = if commit.is_same() { CaseOutcome::Pass } else { CaseOutcome::Fail };
        TestCase {
            reason: Some(Cow::Borrowed("the receipt of the commit, and its signature")),
            ..TestCase::new(&commit.commit, outcome)
        }
    });
    let of_attestation = report.attestation.iter().map(|attestation| {
        let outcome = if attestation.is_same() { CaseOutcome::Pass } else { CaseOutcome::Fail };
        let reason = match (attestation.signed.is_enough(), attestation.differs.is_empty()) {
            (false, _) => format!("the signature of the statement is {}", attestation.signed.signature.as_str()),
            (true, false) => format!("the statement is another one now: {}", attestation.differs.join(", ")),
            (true, true) => "the statement about the commit, and its signature".to_owned(),
        };
        TestCase { reason: Some(Cow::Owned(reason)), ..TestCase::new(&attestation.commit, outcome) }
    });
    of_runs.chain(of_commit).chain(of_attestation).collect()
}

fn problem(problem: &RecordProblem) -> TestCase<'_> {
    TestCase { reason: Some(Cow::Borrowed(&problem.message)), ..TestCase::new(&problem.what, CaseOutcome::Fail) }
}

fn reason(outcome: &GuardOutcome) -> Cow<'_, str> {
    let word = outcome.as_str();
    match outcome {
        GuardOutcome::AnswersMissing(why) | GuardOutcome::CannotLoad(why) | GuardOutcome::CannotJudge(why) => {
            Cow::Owned(format!("{word}: {why}"))
        }
        GuardOutcome::VerdictDiffers { fields } => Cow::Owned(format!("{word}: {}", fields.join(", "))),
        GuardOutcome::Same | GuardOutcome::ComponentDiffers { .. } | GuardOutcome::Missing | GuardOutcome::New => {
            Cow::Borrowed(word)
        }
    }
}

fn guard(guard: &GuardReplay) -> TestCase<'_> {
    let outcome = if guard.outcome.is_same() { CaseOutcome::Pass } else { CaseOutcome::Fail };
    let side = guard.replayed.as_ref().or(guard.recorded.as_ref());
    TestCase {
        version: side.map_or("", |side| &side.version),
        digest: side.map_or("", |side| &side.digest),
        reason: Some(reason(&guard.outcome)),
        ..TestCase::new(&guard.id, outcome)
    }
}
