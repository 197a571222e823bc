//! A pull request of a queue as a test case.

use std::borrow::Cow;

use guardhost_report::{QueuePlace, QueueReport, QueuedPull};

use super::{CaseOutcome, TestCase};

pub fn queue(report: &QueueReport) -> Vec<TestCase<'_>> {
    report.pulls.iter().map(|pull| from_pull(pull, report)).collect()
}

fn from_pull<'a>(pull: &'a QueuedPull, report: &QueueReport) -> TestCase<'a> {
    let (outcome, reason) = match &pull.place {
        QueuePlace::Fits { .. } => (CaseOutcome::Pass, None),
        QueuePlace::Nothing => (CaseOutcome::Skipped, Some("the base has it already".to_owned())),
        QueuePlace::Conflicts(paths) => {
            (CaseOutcome::Fail, Some(format!("conflicts with the base in {}", paths.join(", "))))
        }
        QueuePlace::Rejected(judgement) => {
            (CaseOutcome::Fail, Some(format!("rejected by {}", judgement.against().join(", "))))
        }
        QueuePlace::Breaks => (CaseOutcome::Fail, Some(format!("does not go with {}", others(pull.number, report)))),
    };
    let findings = match &pull.place {
        QueuePlace::Rejected(judgement) => {
            judgement.evidence.iter().flat_map(|guard| guard.verdict.findings().iter().cloned()).collect()
        }
        QueuePlace::Fits { .. } | QueuePlace::Nothing | QueuePlace::Conflicts(_) | QueuePlace::Breaks => Vec::new(),
    };
    TestCase { reason: reason.map(Cow::Owned), findings: Cow::Owned(findings), ..TestCase::new(&pull.url, outcome) }
}

fn others(number: u64, report: &QueueReport) -> String {
    let with = report.breaks.iter().filter(|found| found.pulls.contains(&number)).flat_map(|found| &found.pulls);
    let numbers: Vec<String> = with.filter(|other| **other != number).map(|other| format!("#{other}")).collect();
    numbers.join(", ")
}
