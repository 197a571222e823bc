//! A dozen flows, each with the exact status of every issue.

use serde_json::{Value, json};

use super::{Place, fix, has_sandbox, pairs, review, statuses, touched};
use crate::support::cli::host;

const GOOD: (&str, &str, &str, u32) = ("I001", "resolved", "a.py", 1);

/// A place with one issue, which the author fixes.
fn fixed() -> Place {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("a.py", &fix("a.py"))]);
    place
}

fn why(report: &Value) -> String {
    report["issues"][0]["why"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn what_is_committed_reviewed_and_silent_is_resolved() {
    if !has_sandbox() {
        return;
    }
    let place = Place::new(&["a.py", "b.py", "web/c.js"]);
    place.repo.write("AGENTS.md", "Always write tests first.\n");
    place.repo.write("web/AGENTS.md", "Use two blanks.\n");
    place.repo.commit("guidelines");
    let both = fix("a.py") + "\n" + &fix("b.py");
    let page = &fix("web/c.js");
    place.agent("author", "", &[("I003", page), ("I001", &both)]);
    let all = [GOOD, ("I002", "resolved", "b.py", 1), ("I003", "resolved", "web/c.js", 1)];
    place.agent("reviewer", "", &[("", &review(97, &all))]);
    let before = (place.repo.snapshot(), place.repo.status());
    let report = place.fix_scanned(&["reviewer"], &[]).expect(0).json();
    assert_eq!(
        statuses(&report),
        pairs(&[("I001", "resolved"), ("I002", "resolved"), ("I003", "resolved")]),
        "{report:#}"
    );
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "what the user has stays");
    let sides: Vec<&str> =
        report["batches"].as_array().unwrap().iter().filter_map(|batch| batch["side"].as_str()).collect();
    assert_eq!(sides, ["backend", "frontend"]);
    let range = format!("main..{}", report["branch"].as_str().unwrap());
    assert_eq!(touched(place.repo.path(), &range), ["a.py", "b.py", "web/c.js"]);
    // The guidelines of the base commit, those of a folder for its files alone; and no word of the author for the reviewer.
    let asked = place.questions("author");
    assert_eq!((asked.matches("tests first").count(), asked.matches("two blanks").count()), (2, 1));
    assert!(!place.questions("reviewer").contains("tests first"));
    // The journal knows the flow, the steps and the issues.
    let run = report["run"].as_str().unwrap();
    let log = host(place.repo.path(), &["log", run, "--format", "json"]).expect(0).json();
    assert_eq!((&log["run"]["command"], &log["run"]["outcome"]), (&json!("fix"), &json!("committed")));
    assert_eq!(log["run"]["steps"].as_array().unwrap().len(), 2);
    assert_eq!(log["run"]["issues"][2]["status"], "resolved");

    // Once more: they are done, on a branch; then merged; and a new list of the same does not try them again.
    let again = place.fix_scanned(&["reviewer"], &[]).expect(0).json();
    assert_eq!((statuses(&again), &again["batches"]), (statuses(&report), &json!([])));
    place.repo.git(&["merge", "-q", "--ff-only", report["branch"].as_str().unwrap()]);
    let scan = place.beside("scan.sarif");
    let merged = place.fix_with(&["reviewer"], &["--sarif", scan.to_str().unwrap()]).expect(0).json();
    assert_eq!(statuses(&merged), pairs(&[("I001", "merged"), ("I002", "merged"), ("I003", "merged")]));
}

#[test]
fn a_fixer_that_crashes_leaves_its_issues_failed_and_one_that_changes_nothing_open() {
    let place = Place::new(&["a.py", "b.js"]);
    place.agent("author", "", &[("b at b.js", &fix("b.js"))]);
    place.agent("reviewer", "", &[("", &review(99, &[("b", "resolved", "b.js", 1)]))]);
    let list = place
        .list(json!([{ "id": "a", "title": "XXX", "path": "a.py" }, { "id": "b", "title": "XXX", "path": "b.js" }]));
    let crashed =
        place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]).expect(1).json();
    assert_eq!(statuses(&crashed), pairs(&[("a", "failed"), ("b", "touched")]), "{crashed:#}");
    assert!(why(&crashed).contains("no answer"), "{crashed:#}");

    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("", "NO_CHANGES_NEEDED")]);
    place.agent("reviewer", "", &[("", &review(99, &[GOOD]))]);
    let nothing = place.fix_with(
        &["reviewer"],
        &["--issues", place.list(json!([{ "title": "XXX", "path": "a.py" }])).to_str().unwrap()],
    );
    let nothing = nothing.expect(1).json();
    assert_eq!((statuses(&nothing), place.asked("reviewer")), (pairs(&[("I001", "open")]), 0), "{nothing:#}");
    assert!(why(&nothing).contains("nothing has to change"), "{nothing:#}");
    let run = nothing["run"].as_str().unwrap();
    let log = host(place.repo.path(), &["log", run, "--format", "json"]).expect(0).json();
    assert_eq!((&log["run"]["outcome"], &log["run"]["issues"][0]["status"]), (&json!("no-change"), &json!("open")));
}

#[test]
fn a_fix_of_another_file_is_none() {
    let place = Place::new(&["a.py", "b.py"]);
    place.agent("author", "", &[("", &fix("b.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &[GOOD]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let report = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "failed")]), "{report:#}");
    assert!(why(&report).contains("its file is not in the commit"), "{report:#}");
    assert_eq!(place.asked("reviewer"), 0, "there is nothing to review");
}

#[test]
fn a_detector_that_still_fires_is_believed_more_than_a_reviewer() {
    if !has_sandbox() {
        return;
    }
    let place = Place::new(&["a.py"]);
    let reworded = |from: &str, to: &str| format!("--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-a = {from}\n+a = {to}");
    let (second, third) = (reworded("2  # XXX", "3  # XXX"), reworded("3  # XXX", "4  # XXX"));
    place.agent("author", "", &[("a = 3", &third), ("a = 2", &second), ("a = 1", &reworded("1  # XXX", "2  # XXX"))]);
    place.agent("reviewer", "", &[("", &review(100, &[GOOD]))]);
    let report = place.fix_scanned(&["reviewer"], &[]).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "failed")]), "{report:#}");
    assert_eq!((&report["issues"][0]["attempts"], &report["iterations"]), (&json!(3), &json!(3)));
    assert!(why(&report).contains("its detector still reports it"), "{report:#}");
    assert!(place.questions("author").contains("Its detector still reports it."));
    assert!(place.questions("reviewer").contains("Its detector still reports it."));
}

#[test]
fn votes_are_sealed_close_and_readable_or_nothing_is_resolved() {
    type Votes = &'static [(&'static str, u8)];
    let cases: [(Votes, i32, &str, &str); 4] = [
        (&[("one", 85), ("two", 78)], 0, "touched", ""),
        (&[("one", 95), ("two", 40)], 1, "failed", "too far apart"),
        (&[("one", 85), ("two", 70)], 1, "failed", "the mean is 77.5"),
        (&[("one", 95), ("two", 255)], 1, "failed", "no vote that can be read"),
    ];
    for (votes, code, status, expected) in cases {
        let place = fixed();
        for (name, score) in votes {
            let answer = if *score > 100 { "I would say: fine!".to_owned() } else { review(*score, &[GOOD]) };
            place.agent(name, "", &[("", &answer)]);
        }
        let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
        let names: Vec<&str> = votes.iter().map(|(name, _)| *name).collect();
        let more = ["--issues", list.to_str().unwrap(), "--accept-touched", "--threshold", "80", "--iterations", "1"];
        let report = place.fix_with(&names, &more).expect(code).json();
        assert_eq!(statuses(&report), pairs(&[("I001", status)]), "{report:#}");
        assert!(why(&report).contains(expected) || code == 0, "{expected}: {report:#}");
        assert_eq!(report["commit"].is_null(), code == 1, "only what is approved can be accepted: {report:#}");
        let seals = std::fs::read_to_string(
            place.repo.path().join(".git/guardhost/runs").join(report["run"].as_str().unwrap()).join("seals.jsonl"),
        )
        .unwrap();
        assert_eq!(seals.lines().count(), votes.iter().filter(|(_, score)| *score <= 100).count());
    }
}

#[test]
fn a_reviewer_that_cites_lines_that_are_not_there_never_approves() {
    let place = fixed();
    place.agent("reviewer", "", &[("", &review(100, &[("I001", "resolved", "a.py", 77)]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    let report = place.fix_with(&["reviewer"], &more).expect(1).json();
    assert_eq!((statuses(&report), &report["iterations"]), (pairs(&[("I001", "failed")]), &json!(1)), "{report:#}");
    assert!(why(&report).contains("cites no line"), "{report:#}");
    // The words of an issue are not its evidence either: an answer about issues that nobody reported.
    let place = fixed();
    place.agent("reviewer", "", &[("", &review(100, &[("I009", "resolved", "a.py", 1)]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let report =
        place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "failed")]), "{report:#}");
}

#[test]
fn what_a_reviewer_finds_wrong_is_tried_again_with_its_words() {
    let place = Place::new(&["a.py", "b.py"]);
    let better = "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,2 @@\n a = 1\n+# explained";
    let both = fix("a.py") + "\n" + &fix("b.py");
    place.agent("author", "", &[("say why", better), ("", &both)]);
    let first = json!({ "score": 96, "blocking": [], "issues": [
        { "id": "a", "verdict": "partial", "path": "a.py", "line": 1, "says": "say why" },
        { "id": "b", "verdict": "resolved", "path": "b.py", "line": 1, "says": "gone" } ] });
    let second = review(98, &[("a", "resolved", "a.py", 2), ("b", "resolved", "b.py", 1)]);
    place.agent("reviewer", "", &[("# explained", &second), ("", &first.to_string())]);
    let list = place
        .list(json!([{ "id": "a", "title": "XXX", "path": "a.py" }, { "id": "b", "title": "XXX", "path": "b.py" }]));
    let report =
        place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched"), ("b", "touched")]), "{report:#}");
    assert_eq!(report["batches"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&report["batches"][1]["issues"], &report["issues"][0]["attempts"]),
        (&json!(["a"]), &json!(2)),
        "only what is left"
    );
    assert_eq!(place.asked("author"), 2);
}

#[test]
fn guards_decide_first() {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("", "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-a = 1  # XXX\n+a = (1")]);
    place.agent("reviewer", "", &[("", &review(100, &[GOOD]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let report = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(1).json();
    assert_eq!((statuses(&report), place.asked("reviewer")), (pairs(&[("I001", "failed")]), 0), "{report:#}");
    assert!(why(&report).contains("syntax-holds"), "{report:#}");
    assert_eq!(report["commit"], Value::Null);
}

#[test]
fn what_no_detector_can_tell_is_touched_and_not_done() {
    let place = fixed();
    place.agent("reviewer", "", &[("", &review(99, &[GOOD]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let report = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "touched")]), "{report:#}");
    assert!(why(&report).contains("no detector"), "{report:#}");
    assert!(!report["commit"].is_null(), "it is approved all the same");
    // A detector that never reported it proves nothing by its silence.
    let place = fixed();
    place.agent("reviewer", "", &[("", &review(99, &[GOOD]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py", "rule": "other", "detector": "scanner" }]));
    let more = ["--issues", list.to_str().unwrap(), "--detector", "xxx-scan"];
    let report = place.fix_with(&["reviewer"], &more).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "touched")]), "{report:#}");
}

#[test]
fn reviewers_are_of_another_family_and_must_be_named() {
    let place = fixed();
    place.agent("author", "", &[("", &fix("a.py"))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let same = place.fix_with(&["author"], &["--issues", list.to_str().unwrap()]).expect(2);
    assert!(same.stdout.contains("of the author's family of models"), "{same:?}");
    place.fix_with(&[], &["--issues", list.to_str().unwrap()]).expect(2);
    assert_eq!(place.asked("author"), 0);
}

#[test]
fn two_hosts_never_fix_the_same_issue() {
    let place = fixed();
    place.agent("author", "touch \"$0.hangs\"; while [ -e \"$0.hangs\" ]; do sleep 0.05; done", &[("", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &[GOOD]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    let first = super::spawn(&place, &place.arguments(&["reviewer"], &more));
    let hangs = place.beside("author.hangs");
    while !hangs.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let second = place.fix_with(&["reviewer"], &more).expect(1).json();
    assert_eq!(statuses(&second), pairs(&[("I001", "in-progress")]), "{second:#}");
    std::fs::remove_file(hangs).unwrap();
    let first = first.wait_with_output().unwrap();
    let first: Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!(statuses(&first), pairs(&[("I001", "touched")]), "{first:#}");
    assert_eq!(place.asked("author"), 1);
    let third = place.fix_with(&["reviewer"], &more).expect(0).json();
    assert_eq!((statuses(&third), place.asked("author")), (pairs(&[("I001", "touched")]), 1), "{third:#}");
}
