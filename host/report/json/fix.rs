//! Issues with what became of them, the batches, and the reviews.

use serde_json::{Value, json};

use super::oid;
use super::review::vote;
use crate::{BatchReport, FixReview, IssueReport, IssuesReport};

pub fn fix(report: &IssuesReport) -> Value {
    json!({
        "run": report.run,
        "base": oid(report.base),
        "branch": report.branch,
        "commit": oid(report.commit),
        "issues": report.issues.iter().map(issue).collect::<Vec<_>>(),
        "batches": report.batches.iter().map(batch).collect::<Vec<_>>(),
        "iterations": report.reviews.len(),
        "reviews": report.reviews.iter().map(review).collect::<Vec<_>>(),
        "ended_by": report.ended_by,
        "notices": report.notices,
        "micros": report.micros,
    })
}

fn issue(issue: &IssueReport) -> Value {
    json!({
        "id": issue.id,
        "status": issue.status,
        "batch": issue.batch,
        "commit": issue.commit,
        "why": issue.why,
        "title": issue.title,
        "rule": issue.rule,
        "path": issue.path,
        "line": issue.line,
        "side": issue.side,
        "fingerprint": issue.fingerprint,
        "attempts": issue.attempts,
    })
}

fn batch(batch: &BatchReport) -> Value {
    json!({
        "id": batch.step.id,
        "side": batch.side,
        "points": batch.points,
        "issues": batch.issues,
        "too_large": batch.is_too_large,
        "iteration": batch.attempt,
        "outcome": batch.step.outcome,
        "why": batch.step.why,
        "run": batch.step.run,
        "commit": oid(batch.step.commit),
        "rounds": batch.step.rounds,
    })
}

fn review(review: &FixReview) -> Value {
    json!({
        "iteration": review.attempt,
        "approved": review.is_approved,
        "mean": review.mean,
        "threshold": review.threshold,
        "why": review.why,
        "votes": review.votes.iter().map(vote).collect::<Vec<_>>(),
        "blocking": review.blocking,
    })
}
