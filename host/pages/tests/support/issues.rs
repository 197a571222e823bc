//! Runs of `host fix` and `host pr`, as the program records them.

use std::path::Path;

use guardhost_core::change::{RecordedEnd, RunEnd, RunOutcome};
use guardhost_core::issue::{IssueEnd, IssueFact};
use guardhost_report::journal::{
    Actor, Artifact, Decision, IssueRecord, Object, ObjectBody, Origin, Records, Run, RunCommand, Secrets,
};

fn records(state: &Path, id: &str, run: Run) -> Records {
    let records = Records::create(state, id, Secrets::default()).expect("a new run");
    records.record(&Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host())).expect("recorded");
    records
}

fn end(records: &Records, id: &str, outcome: RunOutcome, said: Option<&str>, commit: Option<&str>) {
    let decision = Decision {
        rationale: said.map(str::to_owned),
        result_commit_sha: commit.map(str::to_owned),
        outcome: Some(RecordedEnd::Known(RunEnd::Result(outcome))),
        ..Decision::end_of(id, RunEnd::Result(outcome), 90_000_000)
    };
    records.record(&Object::new(ObjectBody::Decision(decision), Actor::host())).expect("recorded");
}

/// An issue and its facts behind the first.
pub struct ScriptedIssue<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub path: Option<&'a str>,
    pub facts: Vec<IssueFact>,
}

/// A run of `host fix`.
pub fn fix(state: &Path, id: &str, issues: &[ScriptedIssue<'_>], ended: bool) -> Records {
    let run = Run {
        command: RunCommand::Fix,
        task: format!("fix {} issues", issues.len()),
        branch: Some("guardhost/fix-issues".to_owned()),
        ..Run::default()
    };
    let records = records(state, id, run);
    for issue in issues {
        let listed = IssueFact::Listed { title: issue.title.to_owned(), path: issue.path.map(str::to_owned) };
        for fact in [listed].iter().chain(&issue.facts) {
            let record = IssueRecord {
                run_id: id.to_owned(),
                issue: issue.id.to_owned(),
                fingerprint: format!("fingerprint of {}", issue.id),
                fact: fact.clone(),
            };
            records.record(&Object::new(ObjectBody::Issue(record), Actor::host())).expect("recorded");
        }
    }
    if ended {
        end(&records, id, RunOutcome::Committed, None, Some("28c42470ee4e7cda34d98c8e5128722bb594b2fe"));
    }
    records
}

pub fn tried(attempt: u32, batch: &str) -> IssueFact {
    IssueFact::Tried { attempt, batch: batch.to_owned() }
}

pub fn ended(end: IssueEnd, commit: Option<&str>, why: Option<&str>) -> IssueFact {
    IssueFact::Ended { end, commit: commit.map(str::to_owned), why: why.map(str::to_owned) }
}

/// Five issues: one of each common end, in two batches.
pub fn five() -> Vec<ScriptedIssue<'static>> {
    let commit = Some("28c42470ee4e7cda34d98c8e5128722bb594b2fe");
    let issue = |id, title, path, facts| ScriptedIssue { id, title, path, facts };
    vec![
        issue(
            "issue-1",
            "A connection that is refused is retried for ever",
            Some("src/tally/client.py"),
            vec![tried(1, "1.1"), ended(IssueEnd::Resolved, commit, None)],
        ),
        issue(
            "issue-2",
            "An empty file counts as one line",
            Some("src/tally/count.py"),
            vec![
                tried(1, "1.1"),
                tried(2, "2.1"),
                ended(IssueEnd::Failed, None, Some("the test that it names still fails")),
            ],
        ),
        issue(
            "issue-3",
            "The total is not announced to screen readers",
            Some("web/total.tsx"),
            vec![tried(1, "1.2"), ended(IssueEnd::Touched, commit, Some("no detector tells whether it is gone"))],
        ),
        issue("issue-4", "Empty files", None, vec![IssueFact::Duplicate { of: "issue-2".to_owned() }]),
        issue(
            "issue-5",
            "Support for tapes",
            None,
            vec![IssueFact::Ignored { why: Some("nobody has one".to_owned()) }],
        ),
    ]
}

/// The run of a batch.
pub fn batch(state: &Path, id: &str, plan: &str, step: &str) {
    let run = Run {
        command: RunCommand::Run,
        task: "Fix the issues of the batch".to_owned(),
        provider: "claude".to_owned(),
        origin: Origin { plan: Some(plan.to_owned()), step: Some(step.to_owned()), ..Origin::default() },
        ..Run::default()
    };
    let records = records(state, id, run);
    end(&records, id, RunOutcome::Committed, None, Some("28c42470ee4e7cda34d98c8e5128722bb594b2fe"));
}

/// A visit to a forge.
pub fn pull(state: &Path, id: &str, task: &str, outcome: RunOutcome, said: &str) {
    let run = Run {
        command: RunCommand::Pr,
        task: task.to_owned(),
        commit: Some("28c42470ee4e7cda34d98c8e5128722bb594b2fe".to_owned()),
        ..Run::default()
    };
    end(&records(state, id, run), id, outcome, Some(said), None);
}

/// A run of `host improve` with two audits.
pub fn improve(state: &Path, id: &str) {
    let run = Run { command: RunCommand::Improve, task: "improve what an audit finds".to_owned(), ..Run::default() };
    let records = records(state, id, run);
    let audit = |overall: f64, score: f64| {
        serde_json::json!({ "schema_version": 1, "overall": overall, "metrics": [
            { "id": "readme", "score": score, "status": "pass", "reason": null, "weight": 1.2, "points": [
                { "rule": "badges", "earned": 0.0, "of": 0.1, "path": "README.md", "line": 3, "message": "no badge", "help": "add one" }] },
            { "id": "tests", "score": 0.5, "status": "warn", "reason": null, "weight": 1.0, "points": [] }] })
        .to_string()
    };
    records.keep(0, Artifact::Audit, audit(0.61, 0.7).as_bytes()).expect("kept");
    records.keep(0, Artifact::AuditAfter, audit(0.74, 0.95).as_bytes()).expect("kept");
    end(&records, id, RunOutcome::Committed, None, Some("28c42470ee4e7cda34d98c8e5128722bb594b2fe"));
}
