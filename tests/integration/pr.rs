//! `host pr open`, with a forge on this machine.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host_with};
use crate::support::forge::{FaultKind, Loopback, TOKEN};
use crate::support::repo::TestRepo;

const X: &str = "def x():\n    return 1\n";
const GOOD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";
/// A syntax error, which a monitored guard reports and does not reject.
const BROKEN: &str =
    "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n def x():\n-    return 1\n+    y = (2\n+    return y\n```\n";
const MONITORED: &str =
    "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\nmode = \"monitor\"\n\n[[guard]]\nid = \"no-residue\"\n";

struct Place {
    repo: TestRepo,
    forge: Loopback,
}

impl Place {
    /// A repository whose `main` is at the forge too.
    fn new(files: &[(&str, &str)]) -> Self {
        let repo = TestRepo::with(files);
        let forge = Loopback::start();
        repo.git(&["remote", "add", "origin", &forge.remote()]);
        repo.git(&["push", "--quiet", &forge.repository().display().to_string(), "HEAD:refs/heads/main"]);
        repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        Place { repo, forge }
    }

    /// A run that is answered with this reply; its report.
    fn run(&self, task: &str, reply: &str) -> Value {
        let line = json!({ "round": 1, "provider": "test", "model": "m-1", "reply": reply }).to_string();
        fs::write(self.repo.path().join("../replies.jsonl"), line).expect("written");
        let args =
            ["run", "--task", task, "--provider", "replay:../replies.jsonl", "--rounds", "1", "--format", "json"];
        self.host(&args).expect(0).json()
    }

    fn host(&self, args: &[&str]) -> Ran {
        host_with(self.repo.path(), args, b"", &[("GITHUB_TOKEN", TOKEN), ("GUARDHOST_API", &self.forge.api())])
    }

    fn open(&self, more: &[&str]) -> Ran {
        self.host(&[&["pr", "open", "--format", "json"], more].concat())
    }
}

#[test]
fn a_run_becomes_one_pull_request_however_often_it_is_opened() {
    let place = Place::new(&[("x.py", X)]);
    let run = place.run("Let x return 2\n\nSee @team, and <!-- guardhost run=0 schema=1 -->.", GOOD);
    let first = place.open(&["--label", "docs"]).expect(0).json();
    let pull = &first["pull"];
    assert_eq!((&pull["number"], &pull["action"], &pull["push"]), (&json!(1), &json!("made"), &json!("created")));
    assert_eq!((&first["of"], &first["commit"]), (&run["run"], &run["commit"]));

    let before = place.forge.requests().len();
    let again = place.open(&["--label", "docs"]).expect(0).json();
    let pull = &again["pull"];
    assert_eq!(
        (&pull["action"], &pull["push"], &pull["summary"]),
        (&json!("unchanged"), &json!("up-to-date"), &json!("unchanged"))
    );
    let writes: Vec<String> =
        place.forge.requests().split_off(before).into_iter().filter(|request| !request.starts_with("GET")).collect();
    let sha = run["commit"].as_str().unwrap();
    assert_eq!(writes, [format!("POST /repos/team/tally/statuses/{sha}")], "only the status is written again");

    let state = place.forge.state();
    let [pull] = state.pulls.as_slice() else { panic!("{} pull requests", state.pulls.len()) };
    assert_eq!((pull.title.as_str(), pull.base.as_str()), ("Let x return 2", "main"));
    assert_eq!(pull.labels, ["guardhost", "docs"]);
    let id = run["run"].as_str().unwrap();
    for part in
        [&format!("<!-- guardhost run={id} schema=1 -->"), "| syntax-holds |", "host check --range ", "test (m\\-1)"]
    {
        assert!(
            pull.body.contains(part.as_ref() as &str) || pull.body.contains(&part.replace('-', "\\-")),
            "{part}: {}",
            pull.body
        );
    }
    assert!(!pull.body.contains("@team") && !pull.body.contains("run=0 "), "{}", pull.body);
    assert_eq!(state.comments.len(), 1);
    let (of, status) = &state.statuses[0];
    assert_eq!((of.as_str(), &status["state"]), (sha, &json!("success")));
    drop(state);
    place.forge.check();

    // What was done is in the journal, and nothing moved here.
    let log = place.host(&["log", "--format", "json"]).expect(0).json();
    assert_eq!(log["runs"][0]["command"], "pr");
    assert!(log["runs"].to_string().contains("pull request 1: "), "{log}");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    place.host(&["accept"]).expect(0);
}

#[test]
fn findings_are_comments_on_their_lines_until_they_are_gone() {
    let place = Place::new(&[("x.py", X), ("guards.toml", MONITORED)]);
    place.run("Break x", BROKEN);
    let report = place.open(&[]).expect(0).json();
    assert_eq!(report["pull"]["comments"]["new"], 1, "{report}");
    let state = place.forge.state();
    assert_eq!((state.inline[0].path.as_str(), state.inline.len()), ("x.py", 1));
    assert!(state.inline[0].body.contains("syntax\\-holds/"), "{}", state.inline[0].body);
    drop(state);
    place.forge.check();
}

#[test]
fn what_the_guards_reject_is_not_pushed() {
    let place = Place::new(&[("x.py", X)]);
    // Here, `main` has a commit more than at the forge: it would be part of the pull request.
    place.repo.write("y.py", "def y(:\n");
    place.repo.stage_all();
    place.repo.commit("Break y");
    place.run("Let x return 2", GOOD);
    let report = place.open(&[]).expect(1).json();
    assert_eq!((&report["pull"], &report["check"]["verdict"]), (&Value::Null, &json!("reject")));
    assert!(place.forge.state().pulls.is_empty());
    let refs = place.repo.git(&["ls-remote", &place.forge.repository().display().to_string()]);
    assert!(!refs.contains("guardhost/"), "{refs}");
}

#[test]
fn a_command_that_failed_goes_on_where_it_stopped() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    for (method, path) in
        [("POST", "/pulls"), ("POST", "/labels"), ("POST", "/issues/1/comments"), ("POST", "/statuses/")]
    {
        place.forge.fault(method, path, FaultKind::Status(422, Vec::new(), "not now"), 1);
        let report = place.open(&[]).expect(7).json();
        assert_eq!(report["error"]["code"], "forge-rejected", "{report}");
    }
    place.forge.fault("POST", "/pulls", FaultKind::Lost, 1);
    place.open(&[]).expect(0);
    let state = place.forge.state();
    assert_eq!((state.pulls.len(), state.comments.len(), state.statuses.len()), (1, 1, 1));
}

#[test]
fn an_app_writes_a_check_run() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    place.forge.state().is_app = true;
    for _ in 0..2 {
        assert_eq!(place.open(&[]).expect(0).json()["pull"]["check_run"], true);
    }
    let state = place.forge.state();
    assert_eq!((state.checks.len(), state.comments.len()), (1, 1));
    drop(state);
    place.forge.check();
}

#[test]
fn what_is_missing_is_said_before_anything_is_done() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    let without = |args: &[&str]| {
        let args = [&["pr", "open", "--format", "json"], args].concat();
        let report = host_with(place.repo.path(), &args, b"", &[("OTHER", TOKEN)]).expect(2).json();
        report["error"].to_string()
    };
    assert!(without(&[]).contains("the variable GITHUB_TOKEN is not set"));
    assert!(without(&["--offline"]).contains("needs the network"));
    assert!(without(&["--remote", "upstream"]).contains("there is no remote `upstream`"));
    let plain = ["--token-env", "OTHER", "--api", "http://forge.example.org"];
    let report = host_with(
        place.repo.path(),
        &[&["pr", "open", "--format", "json"], &plain[..]].concat(),
        b"",
        &[("OTHER", TOKEN)],
    );
    assert!(report.expect(7).json()["error"].to_string().contains("not encrypted"));
    assert!(place.forge.requests().is_empty());
}

/// In no argument of any process while the push waits for the forge, in no file, and in nothing that is printed.
#[test]
fn the_token_is_found_nowhere() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    place.forge.fault(
        "POST",
        "/statuses/",
        FaultKind::Status(422, Vec::new(), "the token ghp_loopback0123456789abcdefABCDEF is bad"),
        1,
    );
    let failed = place.open(&["--verbose"]).expect(7);
    let opened = place.open(&["--verbose", "--verbose"]).expect(0);
    for text in [&failed.stdout, &failed.stderr, &opened.stdout, &opened.stderr] {
        assert!(!text.contains(TOKEN), "{text}");
    }
    let lines = place.forge.state().command_lines.join("\n");
    assert!(lines.contains("pr open") && lines.contains("git-remote-http"), "the processes were not seen");
    assert!(!lines.contains(TOKEN));
    let mut files = 0;
    each_file(&place.repo.path().join(".git"), &mut |file| {
        files += 1;
        let bytes = fs::read(file).expect("a file");
        assert!(!bytes.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes()), "{}", file.display());
    });
    assert!(files > 30, "{files}");
}

fn each_file(folder: &Path, see: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            each_file(&path, see);
        } else {
            see(&path);
        }
    }
}
