//! Issues that were fixed, and some that were not.

use guardhost_core::change::{RunEnd, RunOutcome, StepOutcome};
use guardhost_core::error::FaultKind;
use guardhost_core::issue::{IssueStatus, Side};
use guardhost_report::{BatchReport, FixReview, IssueReport, IssuesReport, StepReport};

use super::check::oid;
use super::review::{cast, vote};

fn issue(id: &str, status: IssueStatus, why: Option<&str>) -> IssueReport {
    IssueReport {
        id: id.to_owned(),
        fingerprint: "ab".repeat(16),
        title: format!("E501: the line of {id} is too long"),
        rule: "E501".to_owned(),
        path: Some("src/x.py".to_owned()),
        line: Some(12),
        side: Side::Backend,
        status,
        batch: Some("1.1".to_owned()),
        commit: (status == IssueStatus::Resolved).then(|| oid(0xbb).to_string()),
        why: why.map(str::to_owned),
        attempts: 1,
    }
}

fn batch(is_too_large: bool) -> BatchReport {
    let outcome = StepOutcome::Ran(RunEnd::Result(RunOutcome::Committed));
    let step = StepReport {
        id: "1.1".to_owned(),
        title: "Fix 2 issues".to_owned(),
        outcome,
        commit: Some(oid(0xbb)),
        ..StepReport::default()
    };
    let points = if is_too_large { 25 } else { 6 };
    BatchReport {
        side: Side::Backend,
        points,
        is_too_large,
        attempt: 1,
        issues: vec!["I001".to_owned(), "I002".to_owned()],
        step,
    }
}

fn review(is_approved: bool) -> FixReview {
    let why = (!is_approved).then(|| "the mean is 90.0; an approval needs 95".to_owned());
    let blocking = if is_approved { Vec::new() } else { vec!["src/x.py:2: it leaks".to_owned()] };
    let votes = vec![vote("gemini", cast(90))];
    FixReview { attempt: 1, is_approved, mean: Some(90.0), threshold: 95, why, votes, blocking }
}

pub fn part() -> IssuesReport {
    let all = [
        ("I001", IssueStatus::Failed, Some("not approved: the mean is 90.0; an approval needs 95")),
        ("I002", IssueStatus::Touched, Some("no detector is named for it")),
        ("I003", IssueStatus::Open, None),
        ("I004", IssueStatus::InProgress, Some("the run 01a2 works on it")),
        ("I005", IssueStatus::Duplicate, Some("the same as I001")),
        ("I006", IssueStatus::Ignored, None),
    ];
    IssuesReport {
        run: "f1".to_owned(),
        base: Some(oid(0xaa)),
        branch: "guardhost/fix-issues-f1".to_owned(),
        issues: all.into_iter().map(|(id, status, why)| issue(id, status, why)).collect(),
        batches: vec![batch(true)],
        reviews: vec![review(false)],
        ended_by: Some(RunEnd::Failed(FaultKind::Interrupted)),
        notices: vec!["the chain is the user's".to_owned()],
        micros: 12_000_000,
        ..IssuesReport::default()
    }
}

pub fn resolved() -> IssuesReport {
    IssuesReport {
        commit: Some(oid(0xbb)),
        issues: vec![issue("I001", IssueStatus::Resolved, None), issue("I002", IssueStatus::Merged, None)],
        batches: vec![batch(false)],
        reviews: vec![review(true)],
        ended_by: None,
        ..part()
    }
}
