//! What became of a pull request, as an observation and as a status of its commit.

use guardhost_core::change::AttemptOutcome;
use guardhost_fleet::result::JobVerdict;
use guardhost_fleet::submit::SubmitAnswer;
use guardhost_forge::{CommitStatus, StatusState, own_status};
use guardhost_observer::wire::NewObservation;
use serde_json::Value;

use super::change::{PullSubject, WebhookChange};
use super::inbox::InboxEntry;

const AGENT: &str = "host-webhook";
/// Characters of a title or a reason; names of guards and files.
const TEXT: usize = 300;
const NAMED: usize = 100;

/// How the judging of a pull request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullOutcome {
    /// The merge may be made.
    Accepted,
    /// By these guards, or by the rules of the host itself.
    Rejected { guards: Vec<String> },
    /// Nothing is known of the merge; why.
    Unknown { reason: String },
    /// It has no change that could be judged.
    Empty,
}

impl PullOutcome {
    /// An answer of the fleet. One that is missing is never an acceptance, and neither is one for a branch that cannot be merged.
    pub fn new(answer: &SubmitAnswer, judged: &PullSubject) -> Self {
        let unknown = |reason: &str| PullOutcome::Unknown { reason: reason.to_owned() };
        let result = match answer {
            SubmitAnswer::Judged(result) => result,
            SubmitAnswer::Waiting => return unknown("no worker judged it"),
            SubmitAnswer::Unbelieved(_) => return unknown("its verdict is signed by no key that this server knows"),
            SubmitAnswer::Dead(dead) => return unknown(&format!("it could not be judged: {}", dead.reason)),
        };
        let guards = blocking(&result.report);
        match (result.verdict, judged) {
            (JobVerdict::Accepted, PullSubject::Merge) => PullOutcome::Accepted,
            (JobVerdict::Accepted, PullSubject::BranchAlone { conflicts }) => {
                let first = conflicts.first().map_or_else(String::new, |path| format!(" in {path}"));
                let what = format!("it conflicts with its base{first}; its commits alone are accepted");
                PullOutcome::Unknown { reason: what }
            }
            (JobVerdict::Rejected, _) => PullOutcome::Rejected { guards },
            (JobVerdict::Refused, _) => PullOutcome::Rejected { guards: vec!["rules".to_owned()] },
            (JobVerdict::Failed, _) => unknown(&format!("a guard failed: {}", guards.join(", "))),
        }
    }

    /// For people, in one line.
    pub fn summary(&self) -> String {
        match self {
            PullOutcome::Accepted => "the guards accept this pull request".to_owned(),
            PullOutcome::Rejected { guards } if guards.is_empty() => "the guards reject it".to_owned(),
            PullOutcome::Rejected { guards } => format!("rejected by {}", guards.join(", ")),
            PullOutcome::Unknown { reason } => reason.clone(),
            PullOutcome::Empty => "it changes nothing".to_owned(),
        }
    }

    /// For the pull requests that go to this branch: whoever protects it requires the status with its name.
    pub fn status(&self, base: &str) -> CommitStatus {
        let state = match self {
            PullOutcome::Accepted => StatusState::Success,
            PullOutcome::Rejected { .. } => StatusState::Failure,
            PullOutcome::Unknown { .. } | PullOutcome::Empty => StatusState::Error,
        };
        CommitStatus { state, context: own_status(base), description: line(&self.summary()) }
    }

    /// `change` is None where it came to no job.
    pub fn observation(&self, entry: &InboxEntry, change: Option<&WebhookChange>) -> NewObservation {
        let (outcome, modes) = match self {
            PullOutcome::Accepted => (AttemptOutcome::Success, Vec::new()),
            PullOutcome::Rejected { guards } => (AttemptOutcome::Fail, guards.clone()),
            PullOutcome::Unknown { reason } => (AttemptOutcome::Aborted, vec![line(reason)]),
            PullOutcome::Empty => (AttemptOutcome::Skipped, Vec::new()),
        };
        let pull = &entry.pull;
        NewObservation {
            id: Some(entry.id),
            repo: change.map(|each| each.change.repository.clone()).unwrap_or_default(),
            run_id: format!("pull-{}-{}", pull.number, pull.sha),
            agent: AGENT.to_owned(),
            outcome,
            subtask_id: None,
            model: None,
            branch: Some(line(&pull.base)),
            machine: None,
            title: Some(line(&format!("{} #{}: {}", pull.repository, pull.number, self.summary()))),
            commit_sha: Some(pull.sha.clone()),
            tree: change.map(|each| each.change.tree.clone()),
            touched_files: change.map(|each| each.touched.clone()).unwrap_or_default(),
            failure_modes: modes,
            confidence: None,
            plan: None,
            step_digest: None,
            began_at: Some(entry.arrived.clone()),
            claim: None,
        }
    }
}

/// While nothing is known.
pub fn pending(base: &str) -> CommitStatus {
    let description = "waits for a worker of the fleet".to_owned();
    CommitStatus { state: StatusState::Pending, context: own_status(base), description }
}

/// The guards of a report that reject, or that failed.
fn blocking(report: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let guards = report["guards"].as_array().cloned().unwrap_or_default();
    // What a monitored guard says decides nothing.
    let blocks =
        |guard: &&Value| guard["mode"] != "monitor" && matches!(guard["verdict"].as_str(), Some("reject" | "error"));
    guards.iter().filter(blocks).filter_map(|guard| guard["id"].as_str().map(line)).take(NAMED).collect()
}

/// Text of a forge or a worker, in one line of bounded length.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TEXT).collect()
}

#[cfg(test)]
mod tests {
    use guardhost_fleet::keys::WorkerKey;
    use guardhost_fleet::result::JobRuling as JobResult;

    use super::*;

    const REPORT: &str = r#"{"guards":[{"id":"a","verdict":"reject","mode":"enforce"},{"id":"b","verdict":"reject","mode":"monitor"},{"id":"c\n","verdict":"error","mode":"enforce"},{"id":"d","verdict":"pass","mode":"enforce"}]}"#;

    #[test]
    fn only_a_verdict_for_the_merge_is_an_acceptance() {
        let merge = PullSubject::Merge;
        let alone = PullSubject::BranchAlone { conflicts: vec!["a.txt".into()] };
        for (verdict, judged, state) in [
            (JobVerdict::Accepted, &merge, StatusState::Success),
            (JobVerdict::Accepted, &alone, StatusState::Error),
            (JobVerdict::Rejected, &merge, StatusState::Failure),
            (JobVerdict::Rejected, &alone, StatusState::Failure),
            (JobVerdict::Refused, &merge, StatusState::Failure),
            (JobVerdict::Failed, &merge, StatusState::Error),
        ] {
            let outcome = PullOutcome::new(&SubmitAnswer::Judged(Box::new(signed(verdict))), judged);
            assert_eq!(outcome.status("main").state, state, "{verdict:?} {judged:?}: {outcome:?}");
        }
        for answer in [SubmitAnswer::Waiting, SubmitAnswer::Unbelieved(Box::new(signed(JobVerdict::Accepted)))] {
            assert_eq!(PullOutcome::new(&answer, &merge).status("main").state, StatusState::Error);
        }
        assert_eq!(PullOutcome::Empty.status("main").state, StatusState::Error);
        let rejected = PullOutcome::new(&SubmitAnswer::Judged(Box::new(signed(JobVerdict::Rejected))), &merge);
        assert_eq!(rejected.summary(), "rejected by a, c ");
    }

    /// A commit that is the head of two pull requests has a verdict for each branch, and one does not stand for the other.
    #[test]
    fn a_status_names_the_branch_that_it_is_about() {
        let context = |base: &str| PullOutcome::Accepted.status(base).context;
        assert_eq!(context("main"), "guardhost (main)");
        assert_eq!(pending("main").context, context("main"));
        let long = "x".repeat(300);
        let names = [context("main"), context("legacy"), context(&long), context(&format!("{long}y"))];
        assert!(names.iter().all(|name| name.len() <= 255));
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
    }

    fn signed(verdict: JobVerdict) -> guardhost_fleet::result::SignedResult {
        let key = WorkerKey::for_this_process("w").unwrap();
        let judged = JobResult {
            report: REPORT.to_owned(),
            verdict,
            is_doubtful: false,
            notices: Vec::new(),
            reused_from: Vec::new(),
        };
        guardhost_fleet::result::SignedResult::sign("a".repeat(64).try_into().unwrap(), &judged, 1, 1, &key)
    }
}
