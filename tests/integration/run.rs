//! `host run` from the task to the commit, with a scripted `claude` that prints what the real one prints.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const DOC: &str =
    "# x\n\nSome text.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";
const GOOD: &str = "<<<AI_DIFF_START>>>\ndiff --git a/x.py b/x.py\nindex 1111111..2222222 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n<<<AI_DIFF_END>>>\n";
const BAD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
const MISFIT: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def y():\n-    return 7\n+    return 2\n```\n";

fn repo() -> TestRepo {
    let repo = TestRepo::with(&[
        ("README.md", DOC),
        ("x.py", "def x():\n    return 1\n"),
        (".gitignore", "*.log\n"),
        ("a.txt", "one\n"),
    ]);
    // A user's own changes, in every state.
    repo.write("a.txt", "two\n");
    repo.stage_all();
    repo.write("a.txt", "three\n");
    repo.write("new.txt", "untracked\n");
    repo.write("x.log", "ignored\n");
    repo
}

/// An executable `claude` that answers with the replies, one a call, and keeps every prompt.
pub fn claude(dir: &Path, replies: &[&str]) -> String {
    let bin = dir.join("../bin");
    let _ = std::fs::remove_dir_all(&bin);
    std::fs::create_dir_all(&bin).expect("a folder");
    for (reply, number) in replies.iter().zip(1..) {
        let init =
            json!({ "type": "system", "subtype": "init", "session_id": "s", "model": "claude-opus-4-5", "tools": [] });
        let text = json!({ "type": "assistant", "message": { "role": "assistant", "content": [{ "type": "text", "text": reply }] }, "session_id": "s" });
        let result = json!({ "type": "result", "subtype": "success", "is_error": false, "result": reply, "stop_reason": "end_turn", "session_id": "s",
            "terminal_reason": "completed", "permission_denials": [], "num_turns": 1, "total_cost_usd": 0.0125, "usage": { "input_tokens": 900, "output_tokens": 120 } });
        std::fs::write(bin.join(format!("reply.{number}")), format!("{init}\n{text}\n{result}\n")).expect("written");
    }
    let script = format!(
        "#!/bin/sh\ncd '{}'\nn=$(($(cat calls 2>/dev/null || echo 0) + 1))\necho $n > calls\ncat > prompt.$n\ncat reply.$n\n",
        bin.display()
    );
    std::fs::write(bin.join("claude"), script).expect("written");
    std::fs::set_permissions(bin.join("claude"), std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("{}:/usr/local/bin:/usr/bin:/bin", bin.canonicalize().expect("a path").display())
}

fn run(repo: &TestRepo, replies: &[&str], more: &[&str]) -> Ran {
    let path = claude(repo.path(), replies);
    let args =
        [&["run", "--task", "Let x return 2", "--file-hint", "x.py", "--provider", "claude", "--format", "json"], more]
            .concat();
    host_with(repo.path(), &args, b"", &[("PATH", &path), ("ANTHROPIC_API_KEY", "sk-very-secret-key-0123456789")])
}

#[test]
fn an_accepted_patch_is_committed_on_the_runs_branch_and_nothing_else_moves() {
    let repo = repo();
    let before = (repo.snapshot(), repo.status(), repo.oid("main"));
    let json = run(&repo, &[GOOD], &[]).expect(0).json();
    assert_eq!(json["outcome"], "committed");
    let (branch, commit) = (json["branch"].as_str().expect("a branch"), json["commit"].as_str().expect("a commit"));
    assert_eq!(repo.oid(branch).to_string(), commit);
    assert_eq!(repo.oid(&format!("{commit}^")), before.2);
    assert_eq!(
        repo.git(&["diff", "--stat=80", "main", commit]),
        " x.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)"
    );
    assert!(repo.git(&["log", "-1", "--format=%B", commit]).contains("Guardhost-Run: "));
    assert_eq!(before, (repo.snapshot(), repo.status(), repo.oid("main")));
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn a_rejection_is_fed_back_and_the_next_patch_is_committed() {
    let repo = repo();
    let before = repo.snapshot();
    let json = run(&repo, &[BAD, MISFIT, GOOD], &["--rounds", "3"]).expect(0).json();
    let setbacks: Vec<_> =
        json["rounds"].as_array().expect("rounds").iter().map(|round| round["setback"]["kind"].clone()).collect();
    assert_eq!(setbacks, [Value::from("rejected"), Value::from("misfit"), Value::Null]);
    let prompt =
        |number| std::fs::read_to_string(repo.path().join(format!("../bin/prompt.{number}"))).expect("a prompt");
    assert!(prompt(1).contains("Let x return 2") && prompt(1).contains("return 1"), "{}", prompt(1));
    assert!(prompt(2).contains("syntax"), "the second prompt gives the reason: {}", prompt(2));
    assert!(prompt(3).contains("return 7"), "the third prompt shows what did not fit: {}", prompt(3));
    assert_eq!(before, repo.snapshot());
    // The rejected attempt is kept, and its key is nowhere.
    assert_eq!(repo.git(&["for-each-ref", "--format=%(refname)", "refs/guardhost/rejected"]).lines().count(), 1);
    let state = std::fs::read_dir(repo.path().join(".git/guardhost/runs")).expect("runs").count();
    assert_eq!(state, 1);
    let grep = std::process::Command::new("grep")
        .args(["-r", "sk-very-secret"])
        .arg(repo.path().join(".git"))
        .output()
        .expect("grep");
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
}

#[test]
fn a_failed_run_says_why_and_leaves_the_repository_as_it_was() {
    let repo = repo();
    let before = (repo.snapshot(), repo.status(), repo.git(&["branch"]));
    let rejected = run(&repo, &[BAD, BAD], &["--rounds", "2"]).expect(1).json();
    assert_eq!(rejected["outcome"], "rejected");
    assert_eq!(before, (repo.snapshot(), repo.status(), repo.git(&["branch"])));
    let misfit = run(&repo, &[MISFIT], &["--rounds", "1"]).expect(7).json();
    assert_eq!(misfit["rounds"][0]["setback"]["kind"], "misfit");
    let prose = run(&repo, &["I looked at the code and it is fine as it is."], &["--rounds", "1"]).expect(7).json();
    assert_eq!(prose["rounds"][0]["setback"]["kind"], "no-patch");
    let same = run(&repo, &["NO_CHANGES_NEEDED"], &["--rounds", "1"]).expect(0).json();
    assert_eq!(same["outcome"], "no-change");
    run(&repo, &["", ""], &["--rounds", "1"]).expect(6);
    assert_eq!(before, (repo.snapshot(), repo.status(), repo.git(&["branch"])));
}

#[test]
fn a_repeated_patch_with_the_same_findings_ends_the_run() {
    let repo = repo();
    let json = run(&repo, &[BAD, BAD, BAD, BAD], &["--rounds", "4"]).expect(1).json();
    assert_eq!(json["rounds"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!(json["cycle"], json!(["syntax-holds"]));
}

#[test]
fn onto_worktree_places_what_was_committed() {
    let repo = repo();
    run(&repo, &[GOOD], &["--onto-worktree"]).expect(0);
    assert_eq!(repo.read("x.py"), b"def x():\n    return 2\n");
    assert_eq!(repo.read("a.txt"), b"three\n");
    assert!(repo.status().contains("M  x.py"), "{}", repo.status());
}

#[test]
fn the_demonstration_ends_with_a_commit_and_says_that_it_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("demo");
    let json = host(folder.path(), &["demo", "--dir", "demo", "--format", "json"]).expect(0).json();
    assert_eq!(json["outcome"], "committed");
    let rounds = json["rounds"].as_array().expect("rounds");
    assert_eq!(rounds.len(), 2);
    assert!(rounds.iter().all(|round| round["recorded"] == true));
    let said: Vec<_> = rounds[0]["check"]["guards"]
        .as_array()
        .expect("guards")
        .iter()
        .map(|guard| (guard["id"].as_str(), guard["verdict"].as_str()))
        .collect();
    assert!(
        said.contains(&(Some("docs-kept"), Some("reject"))) && said.contains(&(Some("syntax-holds"), Some("reject"))),
        "{said:?}"
    );
    let commit = json["commit"].as_str().expect("a commit");
    let show = crate::support::repo::git_in(&dir, &["show", "--stat=80", "--format=%s", commit], b"");
    assert!(show.contains("README.md") && show.contains("tests/test_tally.py"), "{show}");
    assert!(Path::new(json["trace"].as_str().expect("a trace")).is_file());
    // The committed code passes its own tests.
    crate::support::repo::git_in(&dir, &["checkout", "-q", commit], b"");
    if let Some(python) = needs(Tool::Python) {
        let tests = std::process::Command::new(python)
            .args(["-m", "unittest", "discover", "tests"])
            .current_dir(&dir)
            .output()
            .expect("python");
        assert!(tests.status.success(), "{tests:?}");
    }
    let human = host(folder.path(), &["demo", "--dir", "demo2"]).expect(0);
    assert!(human.stdout.contains("recorded"), "{human:?}");
    host(folder.path(), &["demo", "--dir", "demo2"]).expect(2);
}
