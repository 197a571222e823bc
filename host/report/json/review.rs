//! A judgement with what critics and voters say.

use serde_json::{Value, json};

use super::check::{check, evidence};
use crate::ReviewReport;
use guardhost_core::vote::{Approval, Ballot, Vote};

pub fn review(report: &ReviewReport) -> Value {
    let (approval, mean, why) = match &report.approval {
        Approval::Approved { mean } => ("approved", Some(*mean), None),
        Approval::Refused { why } => ("refused", None, Some(why.text())),
        Approval::NotAsked(why) => ("not-asked", None, Some(why.clone())),
    };
    json!({
        "run": report.run,
        "check": check(&report.check),
        "critics": report.critics.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "votes": report.votes.iter().map(vote).collect::<Vec<_>>(),
        "approval": approval,
        "mean": mean,
        "why": why,
        "notices": report.notices,
        "micros": report.micros,
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
