//! The adapter of GitLab against the loopback forge, beside `forges`: what is in another form there than at GitHub.

mod forge;
mod support;

use guardhost_forge::{
    CheckRun, CiConclusion, CommitStatus, DiffSide, Forge, ForgeFailure, NewInline, NewPull, StatusState,
    open_or_update,
};

use forge::{FaultKind, JobState, RunState, TOKEN};
use support::Place;

#[test]
fn a_draft_and_its_labels() {
    let place = Place::with_branch();
    let gitlab = place.gitlab(TOKEN);
    let draft = NewPull { draft: true, ..place.new_pull("text") };
    let (pull, _) = open_or_update(&gitlab, &draft).unwrap();
    assert_eq!((pull.title.as_str(), pull.draft), ("Draft: Work", true));
    gitlab.add_labels(1, &["guardhost", "docs"]).unwrap();
    assert_eq!(gitlab.open_pulls().unwrap()[0].labels, ["guardhost", "docs"]);
    assert_eq!(gitlab.close(1).unwrap().state, guardhost_forge::PullState::Closed);
    assert_eq!(gitlab.open_pulls().unwrap(), []);
    place.loopback.check();
}

/// Of an unchanged line the forge wants both numbers, of a new one only its own.
#[test]
fn a_comment_is_on_new_lines_and_on_unchanged_ones() {
    let place = Place::with_branch();
    let gitlab = place.gitlab(TOKEN);
    open_or_update(&gitlab, &place.new_pull("text")).unwrap();
    place.loopback.state().add_comment(1, "reader", "on the whole");
    let at = |line, old_line, marker: &str| NewInline {
        sha: place.head(),
        path: "a.py".into(),
        side: DiffSide::Right,
        start_line: None,
        line,
        old_line,
        body: format!("text <!-- {marker} -->"),
        marker: format!("<!-- {marker}"),
    };
    place.loopback.fault("POST", "/discussions", FaultKind::Lost, 1);
    let made = gitlab.comment_inline(1, &at(2, None, "one")).unwrap();
    assert_eq!((made.line, made.is_own, made.path.as_str()), (Some(2), true, "a.py"));
    gitlab.comment_inline(1, &at(4, Some(2), "two")).unwrap();
    for wrong in [at(4, None, "three"), at(2, Some(1), "three"), at(9, None, "three")] {
        assert_eq!(gitlab.comment_inline(1, &wrong).unwrap_err().class, ForgeFailure::Rejected, "{wrong:?}");
    }
    gitlab.edit_inline(1, made.id, "other").unwrap();
    let bodies: Vec<String> = gitlab.inline_comments(1).unwrap().into_iter().map(|comment| comment.body).collect();
    assert_eq!(bodies, ["other", "text <!-- two -->"]);
    let whole: Vec<String> = gitlab.comments(1).unwrap().into_iter().map(|comment| comment.body).collect();
    assert_eq!(whole, ["on the whole"], "neither comments on lines nor those of the forge itself");
    place.loopback.check();
}

#[test]
fn statuses_and_pipelines() {
    let place = Place::with_branch();
    let gitlab = place.gitlab(TOKEN);
    let sha = place.head();
    let status = |context: &str, state| CommitStatus { state, context: context.into(), description: "ä".repeat(200) };
    for _ in 0..2 {
        // The forge refuses to set what is set.
        gitlab.set_status(&sha, &status("guardhost", StatusState::Success)).unwrap();
    }
    gitlab.set_status(&sha, &status("other", StatusState::Failure)).unwrap();
    let check = CheckRun {
        name: "guardhost".into(),
        external_id: "run-1".into(),
        passed: true,
        title: "accepted".into(),
        summary: "text".into(),
    };
    assert_eq!(gitlab.set_check(&sha, &check).unwrap_err().class, ForgeFailure::Forbidden);
    assert_eq!(gitlab.upload_sarif(&sha, 1, b"{}").unwrap_err().class, ForgeFailure::Forbidden);

    let job = JobState { id: 31, name: "test".into(), conclusion: Some("failure"), log: "it failed at the end".into() };
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
    place.loopback.state().runs.push(run);
    let shown = || {
        let runs = gitlab.ci_runs(&sha).unwrap();
        runs.iter().map(|run| (run.name.clone(), run.conclusion, run.attempt, run.is_workflow)).collect::<Vec<_>>()
    };
    let other = ("other".to_owned(), Some(CiConclusion::Failure), 1, false);
    assert_eq!(shown(), [("pipeline (push)".to_owned(), Some(CiConclusion::Failure), 1, true), other.clone()]);
    assert_eq!(gitlab.jobs(21).unwrap()[0].conclusion, Some(CiConclusion::Failure));
    assert_eq!(gitlab.job_log(31).unwrap(), "it failed at the end");
    place.loopback.fault("POST", "/retry", FaultKind::Lost, 1);
    gitlab.rerun(&gitlab.ci_runs(&sha).unwrap()[0]).unwrap();
    assert_eq!(shown(), [("pipeline (push)".to_owned(), Some(CiConclusion::Success), 2, true), other]);
    assert_eq!(gitlab.ci_runs("").unwrap(), []);
    place.loopback.check();
}
