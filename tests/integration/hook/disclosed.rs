//! `[policy] disclosure`: commits of models say that a model made them.

use std::fs;

use serde_json::json;

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

use super::git::git_with;

const GOOD: &str = "def x():\n    return 1\n";
const AGENT: &[(&str, &str)] = &[("CLAUDECODE", "1")];
const REPLY: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";

fn repo(keys: &str) -> TestRepo {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write(
        "guards.toml",
        format!("schema = 1\n[policy]\ndisclosure = [{keys}]\n[[guard]]\nid = \"syntax-holds\"\n"),
    );
    repo.commit("Rules");
    repo
}

/// Stages another content, and commits it in the shell that `env` makes.
fn commit(repo: &TestRepo, number: usize, message: &str, env: &[(&str, &str)]) -> Ran {
    repo.write("x.py", format!("def x():\n    return {}\n", number + 10));
    git_with(repo, &["commit", "-q", "-a", "-m", message], env)
}

#[test]
fn an_agents_shell_commits_nothing_without_a_word_of_it() {
    let repo = repo("\"Assisted-by\", \"Co-authored-by\"");
    host(repo.path(), &["install", "git"]).expect(0);
    let before = repo.git(&["rev-parse", "HEAD"]);
    let said = commit(&repo, 1, "Count", AGENT).expect(128).stderr;
    for words in ["host:disclosed", "Assisted-by: AGENT_NAME:MODEL_VERSION", "git commit --trailer"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), before);
    for (number, message) in
        ["Count\n\nAssisted-by: claude:opus-5", "Count\n\nCo-Authored-By: Claude <noreply@anthropic.com>"]
            .into_iter()
            .enumerate()
    {
        commit(&repo, number + 2, message, AGENT).expect(0);
    }
    commit(&repo, 7, "A person's", &[]).expect(0);
    // What a person made, a model may merge.
    repo.git(&["branch", "topic", "HEAD~2"]);
    let merge = ["merge", "-q", "--no-ff", "-m", "Merge branch 'topic'", "topic"];
    git_with(&repo, &merge, AGENT).expect(0);
}

#[test]
fn traces_of_an_agent_tell_wherever_the_commits_are_judged() {
    let judged = |keys: &str, more: &[&str]| {
        let repo = repo(keys);
        repo.write("x.py", "def x():\n    return 2\n");
        repo.commit("Count\n\nCo-authored-by: Claude <noreply@anthropic.com>");
        repo.write("x.py", "def x():\n    return 3\n");
        repo.commit("Count on");
        host(repo.path(), &[&["check", "--range", "HEAD~2..HEAD", "--format", "json"], more].concat())
    };
    let report = judged("\"Assisted-by\"", &[]).expect(1).json();
    let rule = report["guards"].as_array().unwrap().iter().find(|one| one["id"] == "host:disclosed").expect("the rule");
    let findings = rule["findings"].as_array().unwrap();
    // A person's commit beside it needs no word.
    assert_eq!(findings.len(), 1, "{rule}");
    assert!(findings[0]["help"].as_str().unwrap().contains("Assisted-by: claude:MODEL_VERSION"), "{rule}");
    judged("\"Assisted-by\"", &["--skip", "host:disclosed"]).expect(0);
    judged("\"Assisted-by\", \"Co-authored-by\"", &[]).expect(0);
    judged("", &[]).expect(0);
}

#[test]
fn what_the_host_commits_says_so_by_itself_and_is_judged_again_alike() {
    let repo = repo("\"Co-authored-by\", \"Assisted-by\"");
    let reply = json!({ "round": 1, "provider": "test", "model": "m-1", "reply": REPLY });
    fs::write(repo.path().join("../replies.jsonl"), reply.to_string()).unwrap();
    let args = ["run", "--task", "Let x return 2", "--provider", "replay:../replies.jsonl", "--format", "json"];
    let report = host(repo.path(), &args).expect(0).json();
    let commit = report["commit"].as_str().unwrap();
    let said = repo.git(&["log", "-1", "--format=%(trailers:key=Assisted-by,valueonly)", commit]);
    assert_eq!(said.trim(), "test:m-1");
    host(repo.path(), &["check", "--range", &format!("main..{commit}")]).expect(0);
    host(repo.path(), &["replay", commit]).expect(0);
}

#[test]
fn a_key_that_no_model_may_write_is_refused() {
    for (keys, words) in [("\"Signed-off-by\"", "only a person can"), ("\"Co-authored-by\"", "needs an address")] {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        repo.write("guards.toml", format!("schema = 1\n[policy]\ndisclosure = [{keys}]\n"));
        repo.commit("Rules");
        let said = host(repo.path(), &["check", "--range", "HEAD~1..HEAD"]).expect(1).stdout;
        assert!(said.contains("guards.toml") && said.contains(words), "{said}");
    }
}
