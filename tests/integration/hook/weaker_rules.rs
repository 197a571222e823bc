//! What a branch got in by other rules is judged where it is to go, by the rules there.

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const BAD: &str = "def x(:\n";

/// A history whose first commit asks no guard, with a server that has it. The hooks are installed where `hooks` says.
fn history(hooks_of_server: bool) -> (TestRepo, TestRepo, String) {
    let (server, repo) =
        (TestRepo::bare(), TestRepo::with(&[("x.py", GOOD), ("guards.toml", "schema = 1\nguards = []\n")]));
    let weak = repo.oid("HEAD").to_string();
    repo.write("guards.toml", "schema = 1\n");
    repo.commit("strict");
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    repo.git(&["push", "-q", "origin", "main", "main:release"]);
    repo.git(&["remote", "set-head", "origin", "main"]);
    host(if hooks_of_server { server.path() } else { repo.path() }, &["install", "git"]).expect(0);
    (server, repo, weak)
}

/// A branch `x` from before the rules gets a mistake, then the rules, then a commit that is good by them.
fn launder(repo: &TestRepo, weak: &str) {
    git(repo, &["checkout", "-q", "-b", "x", weak]).expect(0);
    repo.write("x.py", BAD);
    git(repo, &["commit", "-qam", "bad"]).expect(0);
    git(repo, &["merge", "-q", "--no-edit", "origin/main"]).expect(0);
    repo.write("y.py", GOOD);
    repo.git(&["add", "-A"]);
    git(repo, &["commit", "-qm", "good"]).expect(0);
}

#[test]
fn a_branch_with_other_rules_vouches_for_no_other() {
    let (_server, repo, weak) = history(false);
    let main = repo.oid("main").to_string();
    launder(&repo, &weak);
    for tip in ["x", "x~1"] {
        for args in [
            &["push", "origin", &format!("{tip}:main")][..],
            &["push", "-f", "origin", &format!("{tip}:release")],
            &["update-ref", "refs/heads/main", tip],
        ] {
            let ran = git(&repo, args);
            assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{args:?}: {ran:?}");
        }
    }
    // Deleted and made again, and another branch that takes its name, of which git asks no hook.
    git(&repo, &["branch", "-D", "main"]).expect(0);
    let ran = git(&repo, &["branch", "main", "x"]);
    assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{ran:?}");
    git(&repo, &["branch", "-M", "x", "main"]).expect(0);
    repo.write("z.py", GOOD);
    repo.git(&["add", "-A"]);
    let ran = git(&repo, &["commit", "-qm", "on top"]);
    assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{ran:?}");
    git(&repo, &["reset", "-q", "--hard", &main]).expect(0);
}

#[test]
fn a_server_takes_nothing_that_another_branch_got_in() {
    let (_server, repo, weak) = history(true);
    launder(&repo, &weak);
    for (tip, name) in [("x~2", "x"), ("x~1", "y"), ("x", "z")] {
        git(&repo, &["push", "-q", "origin", &format!("{tip}:refs/heads/{name}")]).expect(0);
    }
    git(&repo, &["push", "-q", "origin", ":release"]).expect(0);
    for tip in ["x", "x~1"] {
        for name in ["release", "main"] {
            let ran = git(&repo, &["push", "origin", &format!("{tip}:refs/heads/{name}")]);
            assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{tip} to {name}: {ran:?}");
        }
    }
}

/// Whoever works by the rules is asked nothing twice: with rules that people changed, and on topics that are begun anew.
#[test]
fn rules_that_were_allowed_vouch_for_what_is_on_them() {
    let (_server, repo, _) = history(false);
    let write = |path: &str, text: &str, env: &[(&str, &str)]| {
        repo.write(path, text);
        repo.git(&["add", "-A"]);
        git_with(&repo, &["commit", "-qm", path], env).expect(0);
    };
    git(&repo, &["branch", "topic"]).expect(0);
    write("a.py", GOOD, &[]);
    write("guards.toml", "schema = 1\nguards = []\n", &[("GUARDHOST_ALLOW_RULE_CHANGES", "1")]);
    // What the new rules allow, and the old ones do not, goes out with them.
    write("b.py", BAD, &[]);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    git(&repo, &["branch", "-D", "topic"]).expect(0);
    git(&repo, &["checkout", "-q", "-b", "topic"]).expect(0);
    write("c.py", GOOD, &[]);
    git(&repo, &["push", "-q", "origin", "topic", "topic:main"]).expect(0);
    git(&repo, &["checkout", "-q", "main"]).expect(0);
    git(&repo, &["merge", "-q", "--ff-only", "topic"]).expect(0);
    git(&repo, &["branch", "-d", "topic"]).expect(0);
    git(&repo, &["branch", "-m", "main", "trunk"]).expect(0);
    write("d.py", GOOD, &[]);
}

const MODEL: (&str, &str) = ("CLAUDECODE", "1");

/// What a model got into a branch past the hooks is not old because a good commit stands on it. A person may have gone around them on purpose.
#[test]
fn no_good_commit_of_a_model_covers_one_past_the_hooks() {
    let weak = "schema = 1\nguards = []\n";
    for (env, path, text, is_kept_out) in [
        (&[MODEL][..], "x.py", BAD, true),
        (&[MODEL], "guards.toml", weak, true),
        (&[], "x.py", BAD, false),
        (&[], "guards.toml", weak, false),
    ] {
        let (_server, repo, _) = history(false);
        repo.write(path, text);
        repo.git(&["-c", "core.hooksPath=/nowhere", "commit", "-qam", "past"]);
        repo.write("y.py", GOOD);
        repo.git(&["add", "-A"]);
        let ran = git_with(&repo, &["commit", "-qm", "on top"], env);
        assert_eq!(ran.code != 0, is_kept_out, "{env:?} {path}: {ran:?}");
    }
}

/// Which ref is the upstream, and which branch is the default one, is a setting of whoever works here.
#[test]
fn no_upstream_takes_back_what_a_branch_changed() {
    for way in [&["remote", "set-head", "origin", "old"][..], &["branch", "-q", "-u", "origin/old", "main"]] {
        let (_server, repo, weak) = history(false);
        repo.git(&["push", "-q", "--no-verify", "origin", &format!("{weak}:refs/heads/old")]);
        git(&repo, way).expect(0);
        let ran = git(&repo, &["checkout", "-q", "-B", "main", "origin/old"]);
        assert!(ran.code != 0 && ran.stderr.contains("keeps the rules of refs/heads/main"), "{way:?}: {ran:?}");
        // Nor one that has merged the branch and kept its own, older ones.
        let merged = repo.git(&["commit-tree", &format!("{weak}^{{tree}}"), "-p", &weak, "-p", "main", "-m", "ours"]);
        repo.git(&["push", "-q", "--no-verify", "origin", &format!("{merged}:refs/heads/old")]);
        let ran = git(&repo, &["merge", "-q", "--ff-only", "origin/old"]);
        assert!(ran.code != 0 && ran.stderr.contains("keeps the rules of refs/heads/main"), "{way:?}: {ran:?}");
    }
}

/// The guards of a run may be chosen by whoever asks for it: a model that takes the result has it judged by the rules of the branch.
#[test]
fn a_model_takes_no_result_that_the_rules_did_not_judge() {
    let (_server, repo, _) = history(false);
    let reply = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-def x():\n+def x(:\n     return 1\n```\n";
    let recording = repo.path().join(".git/reply.jsonl");
    let line = serde_json::json!({ "round": 1, "provider": "x", "reply": reply });
    std::fs::write(&recording, format!("{line}\n")).unwrap();
    let weak = repo.path().join(".git/weak.toml");
    std::fs::write(&weak, "schema = 1\n\n[policy]\nunjudged = \"accept\"\n\n[[guard]]\nid = \"docs-kept\"\n").unwrap();
    let (provider, config) = (format!("replay:{}", recording.display()), weak.to_str().unwrap());
    host_with(repo.path(), &["run", "--provider", &provider, "--task", "x", "--config", config], b"", &[MODEL])
        .expect(0);
    let before = repo.oid("main");
    for args in [&["accept"][..], &["accept", "--config", config]] {
        let ran = host_with(repo.path(), args, b"", &[MODEL, ("GUARDHOST_ALLOW_RULE_CHANGES", "1")]);
        assert!(ran.code == 1 && repo.oid("main") == before, "{args:?}: {ran:?}");
    }
    let run = repo.git(&["for-each-ref", "--format=%(objectname)", "refs/heads/guardhost"]);
    let ran = git_with(&repo, &["branch", "copy", run.trim()], &[MODEL]);
    assert!(ran.code != 0 && ran.stderr.contains("syntax-holds/"), "{ran:?}");
    // Whoever owns the repository is told as well, and may choose the guards.
    host(repo.path(), &["accept"]).expect(1);
    host(repo.path(), &["accept", "--config", config]).expect(0);
}

#[test]
fn no_model_takes_the_hooks_out() {
    let (_server, repo, _) = history(false);
    let ran = host_with(repo.path(), &["install", "git", "--remove"], b"", &[MODEL]).expect(2);
    assert!(ran.stderr.contains("only people take the hooks out"), "{ran:?}");
    host(repo.path(), &["install", "git", "--remove"]).expect(0);
}
