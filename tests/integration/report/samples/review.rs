//! Reviews.

use guardhost_core::change::{Evidence, GuardVerdict, Judgement, Mode, Severity};
use guardhost_core::vote::{Approval, Ballot, Choice, Comparison, Reason, Refusal, Vote};
use guardhost_report::{CheckReport, CommentCounts, PostedReview, Refined, Refinement, ReviewReport, StepDone};

use super::check::{accepted, evidence, finding, oid};

pub fn vote(voter: &str, ballot: Ballot) -> Vote {
    let (by, seal) = match ballot {
        Ballot::Cast { .. } => (format!("{voter}, a-model"), "ab".repeat(32)),
        Ballot::Void(_) => (String::new(), String::new()),
    };
    Vote { voter: voter.to_owned(), by, seal, ballot }
}

pub fn cast(score: u8) -> Ballot {
    let reasons = vec![Reason { path: "src/x.py".to_owned(), line: 2, says: "it is what was asked for".to_owned() }];
    Ballot::Cast { score, reasons, uncited: 1 }
}

fn report(votes: Vec<Vote>, approval: Approval) -> ReviewReport {
    let finding =
        finding("review", Severity::Error, Some(("src/x.py", 2, 2)), "The file is not closed (major, developer)");
    let panel = Evidence { mode: Mode::Monitor, ..evidence("critic-panel", "", GuardVerdict::Reject(vec![finding])) };
    ReviewReport {
        run: "v1".to_owned(),
        check: CheckReport { ..accepted() },
        critics: Judgement { evidence: vec![panel] },
        votes,
        approval,
        refined: None,
        posted: None,
        notices: vec!["the chain is the user's".to_owned()],
        spent: Vec::new(),
        micros: 12_000_000,
    }
}

pub fn refused() -> ReviewReport {
    let void = Ballot::Void("the answer holds no JSON object".to_owned());
    let why = Refusal::Void { voter: "gemini".to_owned(), why: "the answer holds no JSON object".to_owned() };
    report(vec![vote("claude", cast(90)), vote("gemini", void)], Approval::Refused { why })
}

pub fn approved() -> ReviewReport {
    let refined = Refined {
        outcome: Refinement::Kept,
        run: "v2".to_owned(),
        branch: Some("guardhost/refine-x-v2".to_owned()),
        commit: Some(oid(0xcc)),
        comparison: Comparison {
            choices: vec![Choice::New("it closes the file".to_owned()), Choice::New("the same".to_owned())],
        },
        why: None,
    };
    let report = report(vec![vote("claude", cast(90)), vote("codex", cast(84))], Approval::Approved { mean: 87.0 });
    let posted = PostedReview {
        number: 12,
        url: "https://forge.example.org/team/tally/pull/12".to_owned(),
        review: StepDone::Made,
        comments: CommentCounts { new: 1, ..CommentCounts::default() },
    };
    ReviewReport { refined: Some(refined), posted: Some(posted), ..report }
}
