//! The adapter of GitHub against the loopback forge, beside `forges`: every request and answer is as GitHub describes it.

mod forge;
mod support;

use guardhost_forge::{CheckRun, CiConclusion, CommitStatus, Forge, ForgeFailure, StatusState, open_or_update};

use forge::{Face, FaultKind, JobState, RunState, TOKEN};
use support::Place;

#[test]
fn pauses_are_those_that_the_forge_asks_for() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    let seconds = |text: &str| FaultKind::Status(429, vec![("retry-after", text.to_owned())], "");
    place.loopback.fault("GET", "/pulls", seconds("17"), 1);
    github.find("guardhost/work").unwrap();
    assert_eq!(place.pauses(), [17]);
    place.loopback.fault("GET", "/pulls", seconds("4000"), 1);
    let error = github.find("guardhost/work").unwrap_err();
    assert_eq!((error.class, error.wait.map(|wait| wait.as_secs())), (ForgeFailure::RateLimited, Some(4000)));
    assert!(error.into_error().to_string().contains("4000 s"));
    place.loopback.fault("GET", "/pulls", FaultKind::Status(500, Vec::new(), "oops"), 4);
    assert_eq!(github.find("guardhost/work").unwrap_err().class, ForgeFailure::Server);
    assert_eq!(place.pauses(), [17, 1, 2, 4]);
}

#[test]
fn what_did_not_change_is_not_sent_again() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    open_or_update(&github, &place.new_pull("text")).unwrap();
    let first = github.pull(1).unwrap();
    assert_eq!(github.pull(1).unwrap(), first);
    assert_eq!(place.loopback.state().unchanged, 1);
    place.push_file("a.py", "other\n");
    assert_ne!(github.pull(1).unwrap().head_sha, first.head_sha);
    assert!(github.rate().is_some_and(|rate| rate.limit == 5000 && rate.remaining < 5000));
    place.loopback.check();
}

#[test]
fn lists_are_read_to_their_end() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    open_or_update(&github, &place.new_pull("text")).unwrap();
    for at in 0..250 {
        place.loopback.state().add_comment(1, "reader", &format!("comment {at}"));
    }
    assert_eq!(github.comments(1).unwrap().len(), 250);
    assert_eq!(github.comments(1).unwrap().len(), 250, "known pages lead to the next");
    assert_eq!(place.loopback.state().unchanged, 3);
    place.loopback.check();
}

#[test]
fn statuses_checks_and_builds() {
    let place = Place::with_branch();
    let github = place.github(TOKEN);
    let sha = place.head();
    let status =
        CommitStatus { state: StatusState::Success, context: "guardhost".into(), description: "ä".repeat(200) };
    github.set_status(&sha, &status).unwrap();
    assert_eq!(place.loopback.state().statuses[0].1["description"].as_str().unwrap().chars().count(), 140);
    let check = CheckRun {
        name: "guardhost".into(),
        external_id: "run-1".into(),
        passed: false,
        title: "rejected".into(),
        summary: "text".into(),
    };
    place.loopback.fault("POST", "/check-runs", FaultKind::Lost, 1);
    github.set_check(&sha, &check).unwrap();
    github.set_check(&sha, &CheckRun { passed: true, ..check.clone() }).unwrap();
    assert_eq!(place.loopback.state().checks.len(), 1);
    place.loopback.fault(
        "POST",
        "/check-runs",
        FaultKind::Status(403, Vec::new(), "You must authenticate via a GitHub App."),
        1,
    );
    let error = github.set_check(&sha, &CheckRun { external_id: "run-2".into(), ..check }).unwrap_err();
    assert_eq!(error.class, ForgeFailure::Forbidden);

    let job =
        JobState { id: 31, name: "test".into(), conclusion: Some("failure"), log: "x".repeat(3 << 20) + "the end" };
    let run = RunState {
        id: 21,
        workflow: 5,
        name: "ci".into(),
        sha: sha.clone(),
        status: "completed",
        conclusion: Some("failure"),
        attempt: 1,
        jobs: vec![job],
        on_rerun: Some("success"),
    };
    let older = RunState { id: 20, conclusion: Some("success"), ..run.clone() };
    place.loopback.state().runs.extend([older, run]);
    let runs = github.ci_runs(&sha).unwrap();
    assert_eq!(
        runs.iter().map(|run| (run.id, run.conclusion)).collect::<Vec<_>>(),
        [(21, Some(CiConclusion::Failure))]
    );
    let jobs = github.jobs(21).unwrap();
    assert_eq!((jobs[0].id, jobs[0].failed_step.as_deref()), (31, Some("Run tests")));
    let log = github.job_log(31).unwrap();
    assert!(log.ends_with("the end") && log.len() == 1 << 20, "{}", log.len());
    place.loopback.fault("POST", "/rerun-failed-jobs", FaultKind::Lost, 1);
    github.rerun(&runs[0]).unwrap();
    let runs = github.ci_runs(&sha).unwrap();
    assert_eq!((runs[0].conclusion, runs[0].attempt), (Some(CiConclusion::Success), 2));
    place.loopback.check();
}

/// The comparison can fail: with a request that GitHub does not describe, and with an answer that lacks a field.
#[test]
fn what_github_does_not_describe_is_found() {
    let description = forge::Description::new(Face::GitHub);
    let operation = description.operation("POST", "/repos/team/tally/pulls/7/comments").unwrap();
    let wrong = |body: &str| description.check_request(operation, "", body.as_bytes()).join("; ");
    assert_eq!(wrong(r#"{"body":"a","commit_id":"b","path":"c","line":1,"side":"RIGHT"}"#), "");
    for (body, expected) in [
        (r#"{"body":"a","commit_id":"b"}"#, "\"path\" is a required property"),
        (r#"{"body":"a","commit_id":"b","path":"c","line":"1"}"#, "is not of type \"integer\""),
        (r#"{"body":"a","commit_id":"b","path":"c","side":"UP"}"#, "is not one of"),
        (r#"{"body":"a","commit_id":"b","path":"c","row":1}"#, "no field `row`"),
        ("", "it needs a body"),
    ] {
        assert!(wrong(body).contains(expected), "{body}: {}", wrong(body));
    }
    let list = description.operation("GET", "/repos/team/tally/pulls").unwrap();
    assert!(description.check_request(list, "branch=x", b"")[0].contains("no parameter `branch`"));
    assert!(description.check_request(list, "state=any", b"")[0].contains("is not one of"));
    let (full, wrong) = description.complete(operation, 201, &serde_json::json!({ "id": 1, "body": "a" }));
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(full.unwrap()["html_url"].is_string());
    let (_, wrong) = description.complete(operation, 201, &serde_json::json!({ "id": "one" }));
    assert!(wrong[0].contains("/id"), "{wrong:?}");
    assert!(!description.complete(operation, 418, &serde_json::json!({})).1.is_empty());
}
