//! A judgement with what critics and voters say.

use serde_json::{Value, json};

use super::check::{check, evidence};
use super::comments::comments;
use super::oid;
use crate::{PostedReview, Refined, ReviewReport};
use guardhost_core::vote::{Approval, Ballot, Choice, Vote};

pub fn review(report: &ReviewReport) -> Value {
    let (approval, mean, why) = approval(&report.approval);
    json!({
        "run": report.run,
        "check": check(&report.check),
        "critics": report.critics.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "votes": report.votes.iter().map(vote).collect::<Vec<_>>(),
        "approval": approval,
        "mean": mean,
        "why": why,
        "refined": report.refined.as_ref().map(refined),
        "posted": report.posted.as_ref().map(posted),
        "notices": report.notices,
        "micros": report.micros,
    })
}

/// Its word, the mean that approves, and why it does not.
pub(super) fn approval(approval: &Approval) -> (&'static str, Option<f64>, Option<String>) {
    match approval {
        Approval::Approved { mean } => ("approved", Some(*mean), None),
        Approval::Refused { why } => ("refused", None, Some(why.text())),
        Approval::NotAsked(why) => ("not-asked", None, Some(why.clone())),
    }
}

fn posted(posted: &PostedReview) -> Value {
    json!({
        "number": posted.number,
        "url": posted.url,
        "review": posted.review.word(),
        "comments": comments(&posted.comments),
    })
}

fn refined(refined: &Refined) -> Value {
    json!({
        "outcome": refined.outcome.word(),
        "run": refined.run,
        "branch": refined.branch,
        "commit": oid(refined.commit),
        "judgements": refined.comparison.choices.iter().map(Choice::word).collect::<Vec<_>>(),
        "why": refined.why,
    })
}

pub(super) fn vote(vote: &Vote) -> Value {
    let (score, reasons, uncited, void) = match &vote.ballot {
        Ballot::Cast { score, reasons, uncited } => (Some(*score), json!(reasons), *uncited, None),
        Ballot::Void(why) => (None, json!([]), 0, Some(why)),
    };
    json!({
        "voter": vote.voter,
        "by": vote.by,
        "seal": vote.seal,
        "score": score,
        "reasons": reasons,
        "uncited": uncited,
        "void": void,
    })
}
