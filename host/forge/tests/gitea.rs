//! The adapter of Gitea against the loopback forge, beside `forges`: what is in another form there than at GitHub.

mod forge;
mod support;

use guardhost_forge::{
    CheckRun, CiConclusion, CommitStatus, DiffSide, Forge, ForgeFailure, NewInline, NewPull, StatusState,
    open_or_update,
};

use forge::{Face, FaultKind, JobState, RunState, TOKEN};
use support::Place;

fn status(context: &str, state: StatusState) -> CommitStatus {
    CommitStatus { state, context: context.into(), description: "ä".repeat(200) }
}

#[test]
fn a_label_is_made_once_although_its_answer_is_lost() {
    let place = Place::with_branch();
    let gitea = place.gitea(TOKEN);
    place.loopback.state().labels.push("docs".into());
    let draft = NewPull { draft: true, ..place.new_pull("text") };
    let (pull, _) = open_or_update(&gitea, &draft).unwrap();
    assert_eq!((pull.title.as_str(), pull.draft), ("WIP: Work", true));
    place.loopback.fault("POST", "/repos/team/tally/labels", FaultKind::Lost, 1);
    gitea.add_labels(1, &["guardhost", "docs"]).unwrap();
    gitea.add_labels(1, &["guardhost"]).unwrap();
    assert_eq!(gitea.pull(1).unwrap().labels, ["guardhost", "docs"]);
    assert_eq!(place.loopback.state().labels, ["docs", "guardhost"]);
    place.loopback.check();
}

#[test]
fn a_comment_is_on_the_last_of_several_lines_and_is_edited_in_place() {
    let place = Place::with_branch();
    let gitea = place.gitea(TOKEN);
    open_or_update(&gitea, &place.new_pull("text")).unwrap();
    place.loopback.state().add_comment(1, "reader", "on the whole");
    let new = NewInline {
        sha: place.head(),
        path: "a.py".into(),
        side: DiffSide::Right,
        start_line: Some(2),
        line: 3,
        old_line: None,
        body: "text <!-- one -->".into(),
        marker: "<!-- one".into(),
    };
    place.loopback.fault("POST", "/reviews", FaultKind::Lost, 1);
    let made = gitea.comment_inline(1, &new).unwrap();
    assert_eq!((made.line, made.is_own, made.path.as_str()), (Some(3), true, "a.py"));
    gitea.edit_inline(1, made.id, "other").unwrap();
    let found = gitea.inline_comments(1).unwrap();
    assert_eq!(found.iter().map(|comment| comment.body.as_str()).collect::<Vec<_>>(), ["other"]);
    assert_eq!(gitea.edit_inline(1, 9, "none").unwrap_err().class, ForgeFailure::NotFound);
    place.loopback.check();
}

#[test]
fn lists_are_read_page_by_page() {
    let place = Place::with_branch();
    let gitea = place.gitea(TOKEN);
    let sha = place.head();
    for at in 0..120 {
        let body = serde_json::json!({ "state": "success", "context": format!("service {at}") });
        place.loopback.state().statuses.push((sha.clone(), body));
    }
    assert_eq!(gitea.ci_runs(&sha).unwrap().len(), 120);
    assert_eq!(place.loopback.requests().iter().filter(|name| name.ends_with("/statuses")).count(), 3);
    place.loopback.check();
}

#[test]
fn statuses_and_builds() {
    let place = Place::with_branch();
    let gitea = place.gitea(TOKEN);
    let sha = place.head();
    gitea.set_status(&sha, &status("guardhost", StatusState::Success)).unwrap();
    gitea.set_status(&sha, &status("other", StatusState::Pending)).unwrap();
    gitea.set_status(&sha, &status("other", StatusState::Error)).unwrap();
    assert_eq!(place.loopback.state().statuses[0].1["description"].as_str().unwrap().chars().count(), 140);
    let check = CheckRun {
        name: "guardhost".into(),
        external_id: "run-1".into(),
        passed: false,
        title: "rejected".into(),
        summary: "text".into(),
    };
    assert_eq!(gitea.set_check(&sha, &check).unwrap_err().class, ForgeFailure::Forbidden);

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
    let older = RunState { id: 20, conclusion: Some("success"), jobs: Vec::new(), ..run.clone() };
    place.loopback.state().runs.extend([older, run]);
    let shown = |place: &Place| {
        let runs = gitea.ci_runs(&sha).unwrap();
        place.loopback.check();
        runs.iter().map(|run| (run.name.clone(), run.conclusion, run.attempt, run.is_workflow)).collect::<Vec<_>>()
    };
    // The statuses of the run's own jobs are not repeated.
    let other = ("other".to_owned(), Some(CiConclusion::Failure), 1, false);
    assert_eq!(shown(&place), [("ci.yml".to_owned(), Some(CiConclusion::Failure), 1, true), other.clone()]);
    let jobs = gitea.jobs(21).unwrap();
    assert_eq!((jobs[0].id, jobs[0].failed_step.as_deref()), (31, Some("Run tests")));
    let log = gitea.job_log(31).unwrap();
    assert!(log.ends_with("the end") && log.len() == 1 << 20, "{}", log.len());
    place.loopback.fault("POST", "/rerun-failed-jobs", FaultKind::Lost, 1);
    gitea.rerun(&gitea.ci_runs(&sha).unwrap()[0]).unwrap();
    assert_eq!(shown(&place), [("ci.yml".to_owned(), Some(CiConclusion::Success), 2, true), other]);
}

#[test]
fn a_server_without_such_runs_is_known_by_its_statuses() {
    let place = Place::with_branch();
    let gitea = place.gitea(TOKEN);
    let sha = place.head();
    gitea.set_status(&sha, &status("ci / test (push)", StatusState::Failure)).unwrap();
    place.loopback.fault("GET", "/actions/runs", FaultKind::Status(404, Vec::new(), "no such page"), 1);
    let runs = gitea.ci_runs(&sha).unwrap();
    assert_eq!((runs.len(), runs[0].conclusion, runs[0].is_workflow), (1, Some(CiConclusion::Failure), false));
    place.loopback.check();
}

/// The comparison can fail: with a request that Gitea does not describe, and with an answer that has a field of its own.
#[test]
fn what_gitea_does_not_describe_is_found() {
    let description = forge::Description::new(Face::Gitea);
    let reviews = description.operation("POST", "/repos/team/tally/pulls/7/reviews").unwrap();
    let wrong = |body: &str| description.check_request(reviews, "", body.as_bytes()).join("; ");
    assert_eq!(wrong(r#"{"event":"COMMENT","comments":[{"path":"a","new_position":1,"body":"b"}]}"#), "");
    for (body, expected) in [
        (r#"{"event":"COMMENTED"}"#, "is not one of"),
        (r#"{"comments":[{"line":1}]}"#, "not valid under any"),
        (r#"{"event":"COMMENT","start_line":1}"#, "'start_line' was unexpected"),
        ("", "it needs a body"),
    ] {
        assert!(wrong(body).contains(expected), "{body}: {}", wrong(body));
    }
    let labels = description.operation("POST", "/repos/team/tally/labels").unwrap();
    assert!(description.check_request(labels, "", br#"{"name":"a"}"#)[0].contains("\"color\" is a required property"));
    let list = description.operation("GET", "/repos/team/tally/pulls").unwrap();
    assert!(description.check_request(list, "per_page=5", b"")[0].contains("no parameter `per_page`"));
    assert!(description.complete(labels, 201, &serde_json::json!({ "id": 1, "name": "a" })).1.is_empty());
    assert!(!description.complete(labels, 201, &serde_json::json!({ "id": 1, "title": "a" })).1.is_empty());
    assert!(!description.complete(labels, 201, &serde_json::json!({ "id": "one" })).1.is_empty());
    assert!(description.operation("GET", "/repos/team/tally/commits/x/check-runs").is_none());
}
