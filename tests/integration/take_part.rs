//! What of a rejected run the guards accept: shown by `host show`, told to the model, taken with `host accept --part` and `--hunks`.

use std::fs;

use serde_json::{Value, json};

use crate::support::cli::{at_terminal, host};
use crate::support::repo::TestRepo;

const OLD: &str = "def a():\n    return 1\n\n\ndef b():\n    return 1\n\n\ndef c():\n    return 1\n";
const PART: &str = "def a():\n    return 2\n\n\ndef b():\n    return 1\n\n\ndef c():\n    return 2\n";
/// The middle of `x.py` is wrong, and so is `bad.py`.
const REPLY: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,10 +1,10 @@\n def a():\n-    return 1\n+    return 2\n \n \n-def b():\n+def b(:\n     return 1\n \n \n def c():\n-    return 1\n+    return 2\n--- /dev/null\n+++ b/good.py\n@@ -0,0 +1,2 @@\n+def g():\n+    return 1\n--- /dev/null\n+++ b/bad.py\n@@ -0,0 +1,2 @@\n+def g(:\n+    return 1\n```\n";
/// Acceptable as long as there is `o`, but for `bad.py`.
const IMPORT: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,5 @@\n+from other import o\n+\n+\n def a():\n-    return 1\n+    return o()\n--- /dev/null\n+++ b/bad.py\n@@ -0,0 +1,2 @@\n+def g(:\n+    return 1\n```\n";
const ALL_BAD: &str = "```diff\n--- /dev/null\n+++ b/bad.py\n@@ -0,0 +1,2 @@\n+def g(:\n+    return 1\n```\n";

fn repo() -> TestRepo {
    TestRepo::with(&[("x.py", OLD), ("other.py", "def o():\n    return 1\n")])
}

fn run(repo: &TestRepo, replies: &[&str]) -> Value {
    let line =
        |(reply, round)| json!({ "round": round, "provider": "test", "model": "m-1", "reply": reply }).to_string();
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    fs::write(repo.path().join("../replies.jsonl"), lines.join("\n")).expect("written");
    let rounds = replies.len().to_string();
    let args = ["run", "--task", "Let x return 2", "--provider", "replay:../replies.jsonl", "--rounds", &rounds];
    host(repo.path(), &[&args[..], &["--format", "json"]].concat()).expect(1).json()
}

fn refs(repo: &TestRepo) -> String {
    repo.git(&["for-each-ref", "--format=%(refname)", "refs/guardhost"])
}

#[test]
fn the_part_is_shown_told_and_staged_and_nothing_is_committed() {
    let repo = repo();
    let report = run(&repo, &[REPLY, ALL_BAD]);
    let id = report["run"].as_str().expect("an id");
    let kept = format!("refs/guardhost/rejected/{id}/1-part");
    assert_eq!(report["rounds"][0]["part"], json!(kept));
    // Of the second round nothing is acceptable.
    assert!(report["rounds"][1]["part"].is_null(), "{report}");
    let told = report["rounds"][0]["feedback"].as_str().expect("feedback");
    for words in ["Without these places of it your patch is accepted.", "| x.py: line 5", "| bad.py: all of it"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("good.py"), "{told}");

    let shown = host(repo.path(), &["show", id, "--format", "json"]).expect(0).json();
    let part = &shown["run"]["part"];
    assert_eq!((&part["kept"], &part["round"]), (&json!(kept), &json!(1)));
    let files = json!([
        { "path": "bad.py", "share": "left-out", "lines": 0, "lines_of": 2 },
        { "path": "good.py", "share": "whole", "lines": 2, "lines_of": 2 },
        { "path": "x.py", "share": "partly", "lines": 4, "lines_of": 6 },
    ]);
    assert_eq!(part["files"], files);
    let human = host(repo.path(), &["show", id]).expect(0).stdout;
    for words in ["1 of 3 files whole, 6 of 10 lines", "x.py (4 of 6 lines)", "left out", "host accept", "--part"] {
        assert!(human.contains(words), "{words}: {human}");
    }
    let page = repo.path().join("../report.html");
    host(repo.path(), &["report", "--output", page.to_str().expect("a path")]).expect(0);
    assert!(fs::read_to_string(page).expect("a page").contains("The part of the change that the guards accept"));

    // HEAD went on, and the part goes with it.
    repo.write("other.py", "def o():\n    return 2\n");
    repo.git(&["commit", "-qam", "on"]);
    let head = repo.oid("HEAD");
    let taken = host(repo.path(), &["accept", id, "--part", "--format", "json"]).expect(0).json();
    assert_eq!((&taken["action"], &taken["commit"]), (&json!("staged"), &Value::Null));
    assert_eq!(taken["check"]["verdict"], "pass");
    assert_eq!(repo.oid("HEAD"), head);
    assert_eq!(repo.status(), "A  good.py\nM  x.py");
    assert_eq!(repo.read("x.py"), PART.as_bytes());
    assert_eq!(repo.read("other.py"), b"def o():\n    return 2\n");
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.git(&["commit", "-qm", "the part"]);
    let again = host(repo.path(), &["accept", id, "--part", "--format", "json"]).expect(0).json();
    assert_eq!(again["action"], "already-accepted");

    host(repo.path(), &["discard", id]).expect(0);
    assert_eq!(refs(&repo), "");
    let gone = host(repo.path(), &["accept", id, "--part"]).expect(2).stderr;
    assert!(gone.contains("no acceptable part of the run"), "{gone}");
}

/// What the guards reject on what HEAD is now is not placed, and neither is what does not fit.
#[test]
fn a_part_is_judged_on_what_head_is_now() {
    let repo = repo();
    let report = run(&repo, &[REPLY]);
    let id = report["run"].as_str().expect("an id");
    repo.write("good.py", "mine\n");
    let before = (repo.snapshot(), repo.oid("HEAD"));
    let said = host(repo.path(), &["accept", id, "--part"]).expect(7).stderr;
    assert!(said.contains("good.py"), "{said}");
    assert_eq!(before, (repo.snapshot(), repo.oid("HEAD")));

    // On a branch that the run knows nothing of.
    repo.remove("good.py");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.git(&["commit", "-qm", "another root"]);
    let said = host(repo.path(), &["accept", id, "--part"]).expect(7).stderr;
    assert!(said.contains("HEAD does not hold the commit"), "{said}");
    repo.git(&["checkout", "-q", "main"]);

    // What the part imports is gone.
    let report = run(&repo, &[IMPORT]);
    let id = report["run"].as_str().expect("an id");
    repo.write("other.py", "def p():\n    return 1\n");
    repo.git(&["commit", "-qam", "without o"]);
    let before = repo.oid("HEAD");
    let taken = host(repo.path(), &["accept", id, "--part", "--format", "json"]).expect(1).json();
    assert_eq!((&taken["action"], &taken["check"]["verdict"]), (&json!("rejected"), &json!("reject")));
    assert_eq!((repo.oid("HEAD"), repo.status()), (before, String::new()));
}

#[test]
fn hunks_are_asked_for_at_a_terminal_alone() {
    let repo = repo();
    let report = run(&repo, &[REPLY]);
    let id = report["run"].as_str().expect("an id");
    let said = host(repo.path(), &["accept", id, "-p"]).expect(2).stderr;
    assert!(said.contains("there is no terminal to ask at") && said.contains("git checkout -p"), "{said}");
    assert_eq!(repo.status(), "");

    // good.py, then both hunks of x.py.
    let shown = at_terminal(repo.path(), &format!("accept {id} --hunks"), "n\ny\nn\n");
    assert!(shown.contains("good.py is new: take it?") && shown.contains("hunk 2 of 2: take it?"), "{shown}");
    assert_eq!(repo.status(), "M  x.py", "{shown}");
    assert_eq!(repo.read("x.py"), OLD.replacen("return 1", "return 2", 1).as_bytes());
}
