//! Of two machines that fix the same issue, one works on it.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use guardhost_observer::repository::repository_id;
use serde_json::{Value, json};

use super::served::Served;
use crate::integration::issues::{Place, fix, pairs, review, statuses};
use crate::support::cli::{Ran, command, host_with};
use crate::support::repo::git_in;

/// Two clones of a repository with one issue, an author that waits for the file `go`, and a reviewer.
fn place() -> Place {
    let place = Place::new(&["a.py"]);
    let wait = "touch \"$0.waits\"; while [ ! -e \"$0.go\" ]; do sleep 0.05; done";
    place.agent("author", wait, &[("a.py", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &[("a", "resolved", "a.py", 1)]))]);
    place.list(json!([{ "id": "a", "title": "XXX", "path": "a.py", "line": 1 }]));
    let clone = place.beside("clone");
    git_in(place.repo.path(), &["clone", "-q", ".", clone.to_str().expect("UTF-8")], b"");
    place
}

fn words(place: &Place) -> Vec<String> {
    let list = place.beside("issues.json");
    place.arguments(&["reviewer"], &["--issues", list.to_str().expect("UTF-8"), "--accept-touched"])
}

fn env<'a>(path: &'a str, served: &'a Served) -> [(&'a str, &'a str); 2] {
    [("PATH", path), ("GUARDHOST_OBSERVER", &served.url)]
}

/// Starts it on the first machine, and waits until its author is asked.
fn begin(place: &Place, served: &Served) -> Child {
    let (words, path) = (words(place), place.path());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut first = command(place.repo.path(), &words, &env(&path, served));
    let first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let begun = Instant::now();
    while !place.beside("author.waits").exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the author was not asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    first
}

fn run_in(folder: &Path, words: &[String], place: &Place, served: &Served) -> Ran {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    host_with(folder, &words, b"", &env(&place.path(), served))
}

/// The issues that are claimed.
fn claims(place: &Place, served: &Served) -> Vec<String> {
    let root = place.repo.git(&["rev-list", "--max-parents=0", "HEAD"]);
    let repo = repository_id(&[root.trim().to_owned()], None);
    let (status, claims) = served.get(&format!("/claim?repo={repo}"));
    assert_eq!(status, 200, "{claims}");
    let keys = claims.as_array().into_iter().flatten().filter_map(|claim| claim["key"].as_str());
    keys.filter(|key| key.starts_with("issue:")).map(str::to_owned).collect()
}

fn is_held_elsewhere(report: &Value) -> bool {
    statuses(report) == pairs(&[("a", "in-progress")])
        && report["issues"][0]["why"].as_str().is_some_and(|why| why.contains("another host works on it"))
}

#[test]
fn an_issue_is_fixed_on_one_machine_at_a_time() {
    let (place, folder) = (place(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let clone = place.beside("clone");
    let mut first = begin(&place, &served);
    assert_eq!(claims(&place, &served).len(), 1);
    let report = run_in(&clone, &words(&place), &place, &served).expect(1).json();
    assert!(is_held_elsewhere(&report), "{report:#}");
    assert_eq!(place.asked("author"), 1, "the second machine asked nobody");
    fs::write(place.beside("author.go"), "").expect("written");
    assert!(first.wait().expect("it ends").success());
    // It is free again.
    assert!(claims(&place, &served).is_empty());
    let report = run_in(&clone, &words(&place), &place, &served).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched")]), "{report:#}");
}

#[test]
fn what_a_killed_run_claimed_is_taken_up_by_the_run_that_resumes_it() {
    let (place, folder) = (place(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let mut first = begin(&place, &served);
    first.kill().expect("it runs");
    first.wait().expect("it ended");
    fs::write(place.beside("author.go"), "").expect("written");
    // Its word stands until it lapses.
    let report = run_in(&place.beside("clone"), &words(&place), &place, &served).expect(1).json();
    assert!(is_held_elsewhere(&report), "{report:#}");
    let runs = host_with(place.repo.path(), &["log", "--format", "json"], b"", &[]).expect(0).json();
    let of_fix = |run: &&Value| run["command"] == "fix";
    let id = runs["runs"].as_array().into_iter().flatten().find(of_fix).expect("the run")["run"].clone();
    let resumed = place.arguments(&["reviewer"], &["--resume", id.as_str().expect("an id"), "--accept-touched"]);
    let report = run_in(place.repo.path(), &resumed, &place, &served).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched")]), "{report:#}");
    assert!(claims(&place, &served).is_empty());
}
