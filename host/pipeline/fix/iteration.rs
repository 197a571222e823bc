//! One attempt at a list of issues: what the batches, the detectors and the reviewers say together, and whether there is another attempt.

use std::collections::BTreeMap;
use std::fmt::Write;

use guardhost_core::issue::IssueEnd;
use guardhost_core::vote::{Approval, Refusal};
use serde::{Deserialize, Serialize};

use super::detect::DetectorResult;
use super::issue::Issue;
use super::reviewer::{IssueVerdict, ReviewedFixes};

/// What was committed for an issue.
pub struct Tried<'a> {
    pub issue: &'a Issue,
    pub batch: String,
    /// The commit of its batch, in this attempt or, where this one brought none, in an earlier one; or why there is none.
    pub commit: Result<String, NoCommit>,
    /// Whether its file is among those that the run changed; so for an issue without one.
    pub is_touched: bool,
}

/// Why nothing was committed for an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoCommit {
    /// Whoever was asked says that nothing has to change.
    Unneeded,
    Failed(String),
}

/// What the reviewers say.
pub struct IterationReview {
    pub approval: Approval,
    pub answers: Vec<(String, ReviewedFixes)>,
}

/// How an attempt ended. It is kept in the folder of the run, so that a resumed run goes on behind it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FixAttempt {
    /// From 1, over the whole flow.
    pub attempt: u32,
    pub is_approved: bool,
    pub mean: Option<f64>,
    /// Why it is not approved.
    pub why: Option<String>,
    pub issues: Vec<IssueOutcome>,
    /// Reasons that stand for the whole change: what must not be merged.
    pub blocking: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueOutcome {
    pub id: String,
    pub batch: String,
    pub commit: Option<String>,
    pub seen: DetectorResult,
    pub end: IssueEnd,
    pub why: Option<String>,
    /// Whether another attempt could help.
    pub again: bool,
    /// What the provider is told then.
    pub feedback: String,
}

/// Decides for each issue. Guards have decided already: without a commit there is nothing to review. Reviewers can only take away.
pub fn attempt(
    number: u32,
    tried: &[Tried],
    seen: &BTreeMap<String, DetectorResult>,
    review: &IterationReview,
) -> FixAttempt {
    let blocking: Vec<String> = review
        .answers
        .iter()
        .flat_map(|(_, answer)| &answer.blocking)
        .map(|reason| format!("{}:{}: {}", reason.path, reason.line, reason.says))
        .collect();
    let (mean, whole) = match &review.approval {
        Approval::Approved { mean } if blocking.is_empty() => (Some(*mean), Ok(())),
        Approval::Approved { mean } => {
            (Some(*mean), Err(format!("a reviewer says that it must not be merged: {}", blocking[0])))
        }
        Approval::Refused { why } => (mean_of(why), Err(why.text())),
        Approval::NotAsked(why) => (None, Err(why.clone())),
    };
    // The fault of a reviewer is not fixed by another change.
    let may_help = match &review.approval {
        Approval::Approved { .. } | Approval::Refused { why: Refusal::Below { .. } } => true,
        Approval::Refused {
            why: Refusal::Apart { .. } | Refusal::Void { .. } | Refusal::NoEvidence { .. } | Refusal::NotShown { .. },
        }
        | Approval::NotAsked(_) => false,
    };
    let unresolved =
        |issue: &Issue| review.answers.iter().any(|(_, answer)| answer.verdict(&issue.id) != IssueVerdict::Resolved);
    let named = tried.iter().any(|tried| tried.commit.is_ok() && unresolved(tried.issue));
    let issues = tried.iter().map(|tried| {
        let id = &tried.issue.id;
        let seen = seen.get(id).cloned().unwrap_or_else(|| DetectorResult::Unknown("no detector is named".to_owned()));
        let failed = |why: &str, again| (IssueEnd::Failed, Some(why.to_owned()), again);
        let (end, why, again) = match (&tried.commit, &seen, &whole) {
            (Err(NoCommit::Failed(why)), _, _) => failed(why, false),
            (Err(NoCommit::Unneeded), DetectorResult::Fires, _) => {
                failed("its detector still reports it, and the provider says that nothing has to change", false)
            }
            // Nobody else says so: it is not done, and nothing failed.
            (Err(NoCommit::Unneeded), DetectorResult::Silent | DetectorResult::Unknown(_), _) => {
                (IssueEnd::Open, Some("the provider says that nothing has to change".to_owned()), false)
            }
            (Ok(_), _, _) if !tried.is_touched => failed("its file is not in the commit", true),
            (Ok(_), DetectorResult::Fires, _) => failed("its detector still reports it", true),
            // A score below the threshold is about the issues that are named; or, where none is, about all.
            (Ok(_), _, Err(why)) => {
                failed(&format!("not approved: {why}"), may_help && (unresolved(tried.issue) || !named))
            }
            (Ok(_), _, Ok(())) if unresolved(tried.issue) => failed("a reviewer does not find it resolved", true),
            (Ok(_), DetectorResult::Silent, Ok(())) => (IssueEnd::Resolved, None, false),
            (Ok(_), DetectorResult::Unknown(why), Ok(())) => (IssueEnd::Touched, Some(why.clone()), false),
        };
        let (batch, commit) = (tried.batch.clone(), tried.commit.as_ref().ok().cloned());
        let feedback = if again { feedback(tried, &seen, review) } else { String::new() };
        IssueOutcome { id: id.clone(), batch, commit, seen, end, why, again, feedback }
    });
    let issues = issues.collect();
    FixAttempt { attempt: number, is_approved: whole.is_ok(), mean, why: whole.err(), issues, blocking }
}

fn mean_of(why: &Refusal) -> Option<f64> {
    match why {
        Refusal::Below { mean, .. } => Some(*mean),
        Refusal::Apart { .. } | Refusal::Void { .. } | Refusal::NoEvidence { .. } | Refusal::NotShown { .. } => None,
    }
}

/// What is still wrong with the fix of an issue, in the words of detector and reviewers.
fn feedback(tried: &Tried, seen: &DetectorResult, review: &IterationReview) -> String {
    let mut text = format!("- {} at {}:\n", tried.issue.id, tried.issue.place());
    if !tried.is_touched {
        let _ = writeln!(text, "  The file of the issue was not changed.");
    }
    if *seen == DetectorResult::Fires {
        let _ = writeln!(text, "  Its detector still reports it.");
    }
    for (_, answer) in &review.answers {
        for (_, reason) in answer.feedback.iter().filter(|(id, _)| *id == tried.issue.id) {
            let says = reason.says.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "  > {}:{}: {says}", reason.path, reason.line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use guardhost_core::vote::{Ballot, Reason};

    use super::*;

    fn answer(score: u8, verdict: IssueVerdict, blocking: bool) -> (String, ReviewedFixes) {
        let reason = Reason { path: "x".into(), line: 1, says: "s".into() };
        let ballot = Ballot::Cast { score, reasons: vec![reason.clone()], uncited: 0 };
        let blocking = if blocking { vec![reason] } else { Vec::new() };
        (
            "r".into(),
            ReviewedFixes { ballot, verdicts: [("a".to_owned(), verdict)].into(), blocking, feedback: Vec::new() },
        )
    }

    #[test]
    fn only_what_is_committed_silent_and_approved_is_resolved() {
        let issue = Issue { id: "a".into(), ..Issue::default() };
        let good = || Approval::Approved { mean: 97.0 };
        let below = || Approval::Refused { why: Refusal::Below { mean: 90.0, threshold: 95 } };
        let void = || Approval::Refused { why: Refusal::Void { voter: "r".into(), why: "no JSON".into() } };
        let unknown = || DetectorResult::Unknown("u".into());
        let ok = || Ok("c".to_owned());
        for (commit, touched, seen, approval, verdict, blocking, expected) in [
            (ok(), true, DetectorResult::Silent, good(), IssueVerdict::Resolved, false, (IssueEnd::Resolved, false)),
            (ok(), true, unknown(), good(), IssueVerdict::Resolved, false, (IssueEnd::Touched, false)),
            (ok(), true, DetectorResult::Fires, good(), IssueVerdict::Resolved, false, (IssueEnd::Failed, true)),
            (ok(), false, DetectorResult::Silent, good(), IssueVerdict::Resolved, false, (IssueEnd::Failed, true)),
            (ok(), true, DetectorResult::Silent, good(), IssueVerdict::Partial, false, (IssueEnd::Failed, true)),
            (ok(), true, DetectorResult::Silent, good(), IssueVerdict::Resolved, true, (IssueEnd::Failed, true)),
            (ok(), true, DetectorResult::Silent, below(), IssueVerdict::Resolved, false, (IssueEnd::Failed, true)),
            (ok(), true, DetectorResult::Silent, void(), IssueVerdict::Resolved, false, (IssueEnd::Failed, false)),
            (
                ok(),
                true,
                DetectorResult::Silent,
                Approval::NotAsked("n".into()),
                IssueVerdict::Resolved,
                false,
                (IssueEnd::Failed, false),
            ),
            (
                Err(NoCommit::Failed("crash".to_owned())),
                false,
                DetectorResult::Silent,
                good(),
                IssueVerdict::Resolved,
                false,
                (IssueEnd::Failed, false),
            ),
            (
                Err(NoCommit::Unneeded),
                false,
                unknown(),
                Approval::NotAsked("n".into()),
                IssueVerdict::Not,
                false,
                (IssueEnd::Open, false),
            ),
            (
                Err(NoCommit::Unneeded),
                false,
                DetectorResult::Fires,
                Approval::NotAsked("n".into()),
                IssueVerdict::Not,
                false,
                (IssueEnd::Failed, false),
            ),
        ] {
            let tried = [Tried { issue: &issue, batch: "1.1".into(), commit, is_touched: touched }];
            let review = IterationReview { approval, answers: vec![answer(97, verdict, blocking)] };
            let made = attempt(1, &tried, &[("a".to_owned(), seen)].into(), &review);
            assert_eq!((made.issues[0].end, made.issues[0].again), expected, "{made:?}");
        }
    }
}
