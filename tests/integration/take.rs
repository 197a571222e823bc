//! `host show`, `diff`, `accept` and `discard`: taking the result of a run.

use std::fs;

use serde_json::{Value, json};

use crate::support::cli::host;
use crate::support::repo::TestRepo;

const GOOD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";
const BAD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
const IMPORT: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,5 @@\n+from lib import helper\n+\n+\n def x():\n-    return 1\n+    return helper()\n```\n";

fn repo() -> TestRepo {
    TestRepo::with(&[
        ("x.py", "def x():\n    return 1\n"),
        ("lib.py", "def helper():\n    return 1\n\n\ndef other():\n    return 2\n"),
    ])
}

/// The report of a run that is answered with these replies.
fn run(repo: &TestRepo, replies: &[&str], code: i32) -> Value {
    run_with(repo, replies, &[], code)
}

fn run_with(repo: &TestRepo, replies: &[&str], more: &[&str], code: i32) -> Value {
    let line =
        |(reply, round)| json!({ "round": round, "provider": "test", "model": "m-1", "reply": reply }).to_string();
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    fs::write(repo.path().join("../replies.jsonl"), lines.join("\n")).expect("written");
    let rounds = replies.len().to_string();
    let args = ["run", "--task", "Let x return 2", "--provider", "replay:../replies.jsonl", "--rounds", &rounds];
    host(repo.path(), &[&args[..], more, &["--format", "json"]].concat()).expect(code).json()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("{key}: {value}"))
}

fn call(repo: &TestRepo, args: &[&str], code: i32) -> Value {
    host(repo.path(), &[args, &["--format", "json"]].concat()).expect(code).json()
}

fn refs(repo: &TestRepo) -> String {
    repo.git(&["for-each-ref", "--format=%(refname)"])
}

#[test]
fn a_result_is_shown_and_accepted_as_it_was_judged() {
    let repo = repo();
    repo.write("mine.txt", "untracked\n");
    repo.write("lib.py", "edited\n");
    let report = run(&repo, &[BAD, GOOD], 0);
    let (id, branch, commit) = (text(&report, "run"), text(&report, "branch"), text(&report, "commit"));
    assert!(branch.starts_with("guardhost/let-x-return-2-"), "{branch}");
    let trailers = repo.git(&["log", "-1", "--format=%(trailers)", branch]);
    for line in ["Guardhost-Provider: test", "Guardhost-Model: m-1", "Guardhost-Rounds: 2"] {
        assert!(trailers.lines().any(|trailer| trailer == line), "{line}: {trailers}");
    }
    assert!(trailers.contains("Guardhost-Guards: ") && trailers.contains("syntax-holds "), "{trailers}");

    let diff = call(&repo, &["show", "--diff"], 0);
    assert_eq!(text(&diff, "diff"), repo.git(&["diff", "main", commit]) + "\n");
    let shown = call(&repo, &["show"], 0);
    assert_eq!((&shown["run"]["run"], &shown["run"]["diff"]), (&report["run"], &diff["diff"]));
    assert_eq!(shown["run"]["branch"], branch);
    let human = host(repo.path(), &["show", branch]).expect(0).stdout;
    for words in ["round 1, patch 1", "round 2, patch 2", "+    return 2", branch, "host accept"] {
        assert!(human.contains(words), "{words}: {human}");
    }

    let taken = call(&repo, &["accept"], 0);
    assert_eq!(
        (text(&taken, "action"), text(&taken, "onto"), text(&taken, "head")),
        ("fast-forwarded", "main", commit)
    );
    assert!(taken["check"].is_null() && taken["branch_deleted"] == true, "{taken}");
    assert_eq!(repo.oid("HEAD").to_string(), commit);
    assert_eq!(repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(repo.status(), " M lib.py\n?? mine.txt");
    assert_eq!(repo.read("x.py"), b"def x():\n    return 2\n");
    assert!(repo.git(&["reflog", "-1", "HEAD"]).contains("guardhost"), "HEAD has a log");
    let again = call(&repo, &["accept", id], 0);
    assert_eq!(text(&again, "action"), "already-accepted");
}

/// As a host leaves it that is killed when it has placed the change, and not moved HEAD yet.
#[test]
fn a_change_that_is_placed_already_is_accepted_when_head_is_moved() {
    let place = |repo: &TestRepo| {
        let result = repo.git(&["for-each-ref", "--format=%(objectname)", "refs/heads/guardhost"]);
        repo.git(&["read-tree", "-m", "-u", "HEAD", &result]);
        result
    };
    let accepted = |repo: &TestRepo, result: &str| {
        assert_eq!(repo.status().lines().filter(|line| line.starts_with("M ")).count(), 1, "{}", repo.status());
        call(repo, &["accept"], 0);
        assert_eq!((repo.oid("HEAD").to_string(), repo.status()), (result.to_owned(), String::new()));
    };
    let repo = repo();
    run(&repo, &[GOOD], 0);
    let result = place(&repo);
    accepted(&repo, &result);

    // What is staged alone is not placed: the work tree has other content, which is the user's.
    let repo = self::repo();
    run(&repo, &[GOOD], 0);
    let head = repo.oid("HEAD");
    place(&repo);
    let path = repo.git(&["diff", "--cached", "--name-only"]);
    repo.write(&path, "the user's\n");
    let said = host(repo.path(), &["accept"]).expect(7).stderr;
    assert!(said.contains(&path), "{said}");
    assert_eq!((repo.oid("HEAD"), repo.read(&path)), (head, b"the user's\n".to_vec()));
}

/// A record in which another commit stands in the place of the result. `sealed`: its seals fit, as whoever writes the file can make them.
fn forge(repo: &TestRepo, report: &Value, commit: &str, sealed: bool) {
    let records = format!(".git/guardhost/runs/{}/records.jsonl", text(report, "run"));
    let forged = String::from_utf8(repo.read(&records)).unwrap().replace(text(report, "commit"), commit);
    let mut seal = String::new();
    let lines = forged.lines().map(|line| match line.rsplit_once(",\"seal\":\"") {
        Some((body, _)) if sealed => {
            seal = guardhost_core::canonical::sha256(format!("{seal}\n{body}").as_bytes());
            format!("{body},\"seal\":\"{seal}\"}}\n")
        }
        Some(_) | None => format!("{line}\n"),
    });
    let forged: String = lines.collect();
    repo.write(&records, forged);
}

/// A commit that no guard saw.
fn unjudged(repo: &TestRepo, parent: &str) -> String {
    repo.write("x.py", "def x(:\n");
    repo.stage_all();
    let tree = repo.git(&["write-tree"]);
    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["commit-tree", &tree, "-p", parent, "-m", "never judged"])
}

/// Whoever works in the repository can write a record that fits in itself.
#[test]
fn a_forged_record_does_not_vouch_for_its_result() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    let commit = text(&report, "commit");
    let bad = unjudged(&repo, "HEAD");
    // What the host did make, on top of a commit that it did not.
    let tree = repo.git(&["rev-parse", &format!("{commit}^{{tree}}")]);
    let above = repo.git(&["commit-tree", &tree, "-p", &bad, "-m", "above"]);
    let head = repo.oid("HEAD");
    forge(&repo, &report, &bad, true);
    let refused = call(&repo, &["accept"], 1);
    assert!(refused["check"]["guards"].is_array() && repo.oid("HEAD") == head, "{refused}");
    let report = json!({ "run": report["run"], "commit": bad });
    forge(&repo, &report, &above, true);
    let taken = call(&repo, &["accept"], 0);
    assert!(taken["check"]["guards"].is_array(), "{taken}");
}

/// A record that changed by accident is named.
#[test]
fn a_result_whose_record_was_changed_is_not_accepted() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    forge(&repo, &report, &unjudged(&repo, "HEAD"), false);
    let before = (repo.oid("HEAD"), repo.status(), refs(&repo));
    let ran = host(repo.path(), &["accept"]).expect(7);
    assert!(ran.stderr.contains("is not what the run wrote") && ran.stderr.contains("host replay"), "{ran:?}");
    assert_eq!((repo.oid("HEAD"), repo.status(), refs(&repo)), before);
}

/// Whoever asked for the run chose its guards, and who accepts it does not know that.
#[test]
fn a_run_of_chosen_guards_has_no_verdict_of_the_branch() {
    let repo = repo();
    run_with(&repo, &[BAD], &["--guard", "imports-resolve"], 0);
    let refused = call(&repo, &["accept"], 1);
    let guards = refused["check"]["guards"].as_array().unwrap_or_else(|| panic!("{refused}"));
    let rejects = |id: &str| guards.iter().any(|guard| guard["id"] == id && guard["verdict"] == "reject");
    assert!(rejects("syntax-holds"), "{refused}");
    assert_eq!(repo.git(&["log", "--format=%s", "main"]).lines().count(), 1);
    run_with(&repo, &[GOOD], &["--guard", "imports-resolve"], 0);
    let taken = call(&repo, &["accept"], 0);
    assert_eq!((text(&taken, "action"), taken["check"].is_null()), ("fast-forwarded", false), "{taken}");
}

#[test]
fn what_head_gained_is_merged_and_judged() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    repo.write("notes.txt", "mine\n");
    let mine = repo.commit("mine");
    let taken = call(&repo, &["accept", "--keep-branch"], 0);
    assert_eq!((text(&taken, "action"), &taken["check"]["verdict"]), ("merged", &json!("pass")));
    let parents = format!("{mine} {}", text(&report, "commit"));
    assert_eq!(repo.git(&["log", "-1", "--format=%P"]), parents);
    assert_eq!(repo.status(), "");
    assert!(refs(&repo).contains(text(&report, "branch")), "kept");
    repo.git(&["fsck", "--strict", "--no-dangling"]);

    // Each side alone is fine; together they import a name that is gone.
    let repo = self::repo();
    run(&repo, &[IMPORT], 0);
    repo.write("lib.py", "def other():\n    return 2\n");
    repo.commit("no helper");
    let before = (repo.snapshot(), refs(&repo), repo.oid("HEAD"));
    let taken = call(&repo, &["accept"], 1);
    assert_eq!((text(&taken, "action"), &taken["check"]["verdict"]), ("rejected", &json!("reject")), "{taken}");
    assert_eq!(before, (repo.snapshot(), refs(&repo), repo.oid("HEAD")));
}

#[test]
fn what_cannot_be_taken_changes_nothing() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    let unchanged = |args: &[&str], code: i32, words: &str| {
        let before = (repo.snapshot(), repo.status(), refs(&repo), repo.oid("HEAD"));
        let ran = host(repo.path(), args).expect(code);
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
        assert_eq!(before, (repo.snapshot(), repo.status(), refs(&repo), repo.oid("HEAD")), "{args:?}");
    };
    repo.write("x.py", "def x():\n    return 1  # mine\n");
    unchanged(&["accept"], 7, "x.py");
    repo.commit("the same line");
    unchanged(&["accept"], 7, "conflicts");
    unchanged(&["accept", "guardhost/no-such-branch"], 2, "no run");
    unchanged(&["show", "--diff", "ffff"], 2, "no run");
    // A branch that a person went on with is theirs.
    repo.git(&["branch", "-f", text(&report, "branch"), "HEAD"]);
    unchanged(&["discard"], 7, "not what the run committed");
    run(&repo, &["NO_CHANGES_NEEDED"], 0);
    unchanged(&["show", "--diff", text(&call(&repo, &["log"], 0)["runs"][0], "run")], 2, "committed nothing");
    let bare = TestRepo::bare();
    assert!(host(bare.path(), &["accept"]).expect(2).stderr.contains("work tree"));
}

#[test]
fn a_discarded_result_leaves_its_records() {
    let repo = repo();
    let report = run(&repo, &[BAD, GOOD], 0);
    let (id, branch, commit) = (text(&report, "run"), text(&report, "branch"), text(&report, "commit"));
    assert_eq!(refs(&repo).lines().count(), 3, "main, the branch and the rejected attempt");
    let taken = call(&repo, &["discard"], 0);
    assert_eq!((&taken["branch_deleted"], &taken["attempts_deleted"]), (&json!(true), &json!(1)));
    assert_eq!(refs(&repo), "refs/heads/main");
    assert_eq!(text(&call(&repo, &["show", id], 0)["run"], "commit"), commit);
    // As the report says, it can be had back.
    repo.git(&["branch", branch, commit]);
    assert!(
        host(repo.path(), &["discard", branch]).expect(0).stdout.contains(&format!("git branch {branch} {commit}"))
    );
}

/// An accepted result is on the branch, so that nothing of it can be discarded.
#[test]
fn what_is_accepted_or_only_measured_is_not_said_to_be_discarded() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    call(&repo, &["accept"], 0);
    call(&repo, &["audit", "--no-builds"], 0);
    let said = host(repo.path(), &["discard"]).expect(0).stdout;
    assert!(said.contains(text(&report, "run")) && said.contains("nothing was deleted"), "{said}");
    assert_eq!(repo.oid("main").to_string(), text(&report, "commit"));
}

/// A host that is killed between its commit and the record of it.
#[test]
fn a_branch_that_no_record_knows_is_named_and_kept() {
    let repo = repo();
    let report = run(&repo, &[GOOD], 0);
    let (id, branch) = (text(&report, "run"), text(&report, "branch"));
    let records = format!(".git/guardhost/runs/{id}/records.jsonl");
    let lines = String::from_utf8(repo.read(&records)).unwrap();
    let before: Vec<&str> = lines.lines().filter(|line| !line.contains("\"object_type\":\"decision\"")).collect();
    assert!(before.len() < lines.lines().count(), "{lines}");
    repo.write(&records, before.join("\n") + "\n");
    let ran = host(repo.path(), &["discard", id]).expect(7);
    assert!(ran.stderr.contains("was killed before it recorded") && ran.stderr.contains(branch), "{ran:?}");
    assert!(refs(&repo).contains(branch));
}

#[test]
fn a_detached_head_and_a_first_commit() {
    let repo = repo();
    repo.git(&["checkout", "-q", "--detach"]);
    let report = run(&repo, &[GOOD], 0);
    let taken = call(&repo, &["accept"], 0);
    assert!(taken["onto"].is_null(), "{taken}");
    assert_eq!((repo.oid("HEAD").to_string().as_str(), repo.status().as_str()), (text(&report, "commit"), ""));
    assert_ne!(repo.oid("main"), repo.oid("HEAD"));

    let unborn = TestRepo::new();
    let new = "```diff\n--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+def x():\n+    return 1\n```\n";
    let report = run(&unborn, &[new], 0);
    call(&unborn, &["accept"], 0);
    assert_eq!((unborn.oid("main").to_string().as_str(), unborn.status().as_str()), (text(&report, "commit"), ""));
}
