//! The hooks of git, started by git.

use std::process::Command;

use crate::support::cli::{Ran, home, host};
use crate::support::guest::{Guest, ID};
use crate::support::repo::TestRepo;

const GOOD: &str = "def x():\n    return 1\n";
pub(super) const BAD: &str = "def x(:\n    return 2\n";

/// With the hooks of the host.
pub(super) fn repo() -> TestRepo {
    let repo = TestRepo::with(&[("x.py", GOOD), ("README.md", "# x\n")]);
    host(repo.path(), &["install", "git"]).expect(0);
    repo
}

pub(super) fn git_with(repo: &TestRepo, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = Command::new("git");
    command.current_dir(repo.path()).args(args).env_clear().env("HOME", home()).envs(env.iter().copied());
    let output = command.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(super) fn git(repo: &TestRepo, args: &[&str]) -> Ran {
    git_with(repo, args, &[])
}

/// A commit that no ref names.
pub(super) fn loose(repo: &TestRepo, path: &str, content: &str, parent: &str) -> String {
    repo.write(path, content);
    repo.git(&["add", path]);
    let tree = repo.git(&["write-tree"]);
    repo.git(&["reset", "-q", "--hard"]);
    repo.git(&["commit-tree", &tree, "-p", parent, "-m", "loose"])
}

#[test]
fn a_bad_change_gets_into_no_branch_in_any_way() {
    let repo = repo();
    let refs = || repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let before = refs();
    repo.write("x.py", BAD);
    repo.git(&["add", "x.py"]);
    let said = git(&repo, &["commit", "-m", "bad"]).expect(1).stderr;
    assert!(said.contains("x.py:1") && said.contains("syntax-holds/") && said.contains("Guardhost rejects"), "{said}");
    let said = git(&repo, &["commit", "--no-verify", "-m", "bad"]).expect(128).stderr;
    assert!(said.contains("out of refs/heads/main") && said.contains("x.py:1"), "{said}");
    assert_eq!(refs(), before);
    let bad = loose(&repo, "x.py", BAD, "HEAD");
    // A credential stays in the history, whatever the next commit does.
    let key = format!("KEY = \"AKIA{}\"\n", "IOSFODNN7EXAMPLQ");
    let leak = loose(&repo, "y.py", &key, "HEAD");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let removed = repo.git(&["commit-tree", &tree, "-p", &leak, "-m", "removed"]);
    for commit in [&bad, &removed] {
        for args in [
            &["update-ref", "refs/heads/main", commit][..],
            &["branch", "other", commit],
            &["reset", "--hard", commit],
            &["merge", "--ff-only", commit],
            &["fetch", ".", &format!("{commit}:refs/heads/fetched")],
            &["push", ".", &format!("{commit}:refs/heads/pushed")],
            &["-c", "core.logAllRefUpdates=false", "checkout", "-b", "other", commit],
        ] {
            let ran = git(&repo, args);
            assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{args:?}: {ran:?}");
            assert_eq!(refs(), before, "{args:?}");
        }
    }
    // Outside of branches, anything may be kept.
    git(&repo, &["tag", "kept", &bad]).expect(0);
    // What comes in is one change: a mistake that it fixes itself is none.
    let mended = repo.git(&["commit-tree", &tree, "-p", &bad, "-m", "mended"]);
    git(&repo, &["merge", "-q", "--ff-only", &mended]).expect(0);
}

/// Names of refs are bytes to git.
#[test]
fn a_branch_whose_name_is_no_utf_8_is_judged_too() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repo = repo();
    let bad = loose(&repo, "x.py", BAD, "HEAD");
    let branch = |commit: &str| {
        let mut command = Command::new("git");
        command.current_dir(repo.path()).arg("branch").arg(OsStr::from_bytes(b"caf\xe9")).arg(commit);
        let output = command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_made, said) = branch(&bad);
    assert!(!is_made && said.contains("x.py:1"), "{said}");
    assert_eq!(branch("HEAD"), (true, String::new()));
    // What turns text around in a terminal is shown, not sent.
    let said = git(&repo, &["branch", "a\u{202e}b", &bad]).expect(128).stderr;
    assert!(said.contains("out of refs/heads/a") && !said.contains('\u{202e}'), "{said}");
    repo.write("x.py", "def x():\n    return 7\n");
    git(&repo, &["commit", "-q", "-am", "beside it"]).expect(0);
}

#[test]
fn good_changes_and_changes_of_nothing_pass_in_silence() {
    let repo = repo();
    let silent = |args: &[&str]| {
        let ran = git(&repo, args).expect(0);
        assert!(!ran.stderr.contains("Guardhost") && !ran.stdout.contains("Guardhost"), "{args:?}: {ran:?}");
    };
    silent(&["commit", "-q", "--allow-empty", "-m", "empty"]);
    silent(&["commit", "-q", "--allow-empty", "--amend", "-m", "another message"]);
    repo.write("x.py", "def x():\n    return 2\n");
    silent(&["commit", "-q", "-am", "two"]);
    silent(&["commit", "-q", "--amend", "-m", "still two"]);
    silent(&["branch", "topic", "HEAD~1"]);
    silent(&["branch", "-D", "topic"]);
    silent(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    repo.write("y.py", GOOD);
    repo.git(&["add", "y.py"]);
    silent(&["commit", "-q", "-m", "side"]);
    silent(&["merge", "-q", "--no-edit", "main"]);
    repo.write("y.py", "def y():\n    return 3\n");
    silent(&["stash"]);
    silent(&["stash", "pop"]);
    silent(&["gc", "-q"]);
    silent(&["commit", "-q", "-am", "y"]);
    silent(&["rebase", "-q", "main"]);
}

#[test]
fn of_a_merge_only_what_was_done_by_hand_is_judged() {
    let repo = TestRepo::with(&[("x.py", GOOD), ("README.md", "# x\n")]);
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("theirs.py", BAD);
    repo.commit("bad, and from before the hooks");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("ours.py", GOOD);
    repo.commit("ours");
    host(repo.path(), &["install", "git"]).expect(0);
    git(&repo, &["merge", "-q", "--no-commit", "theirs"]).expect(0);
    repo.write("x.py", BAD);
    repo.git(&["add", "x.py"]);
    let ran = git(&repo, &["commit", "-q", "--no-verify", "-m", "evil merge"]).expect(128);
    assert!(ran.stderr.contains("x.py:1") && !ran.stderr.contains("theirs.py"), "{ran:?}");
    repo.write("x.py", GOOD);
    repo.git(&["add", "x.py"]);
    git(&repo, &["commit", "-q", "--no-verify", "-m", "merge"]).expect(0);
}

/// What others made is judged where they made it.
#[test]
fn a_pull_from_a_remote_passes_and_a_push_of_the_unjudged_does_not() {
    let upstream = TestRepo::with(&[("x.py", GOOD)]);
    let repo = TestRepo::new();
    repo.git(&["remote", "add", "origin", upstream.path().to_str().unwrap()]);
    host(repo.path(), &["install", "git"]).expect(0);
    upstream.write("bad.py", BAD);
    upstream.commit("bad");
    git(&repo, &["pull", "-q", "origin", "main"]).expect(0);
    upstream.git(&["config", "receive.denyCurrentBranch", "ignore"]);
    repo.write("x.py", "def x():\n    return 4\n");
    git(&repo, &["commit", "-q", "-am", "good"]).expect(0);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    // Past the gate: as if it was made before the hooks were installed.
    std::fs::remove_file(repo.path().join(".git/hooks/reference-transaction")).unwrap();
    repo.write("x.py", BAD);
    git(&repo, &["commit", "-q", "--no-verify", "-am", "bad"]).expect(0);
    let before = upstream.oid("main");
    for args in [["push", "-q", "origin", "main"], ["push", "-q", "origin", "main:refs/heads/new"]] {
        let ran = git(&repo, &args).expect(1);
        assert!(ran.stderr.contains("x.py:1"), "{ran:?}");
    }
    git(&repo, &["push", "-q", "origin", ":refs/heads/none"]);
    assert_eq!(upstream.oid("main"), before);
}

#[test]
fn a_server_keeps_out_what_is_pushed() {
    let (server, repo) = (TestRepo::bare(), TestRepo::with(&[("x.py", GOOD)]));
    host(server.path(), &["install", "git"]).expect(0);
    repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    git(&repo, &["push", "-q", "origin", "main"]).expect(0);
    repo.write("x.py", BAD);
    repo.commit("bad");
    for branch in ["main", "new"] {
        let ran = git(&repo, &["push", "origin", &format!("HEAD:refs/heads/{branch}")]);
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{ran:?}");
    }
    assert_eq!(server.git(&["for-each-ref", "--format=%(objectname)"]), repo.oid("main~1").to_string());
}

#[test]
fn the_rules_are_changed_by_people_who_say_so() {
    let repo = repo();
    // Where there are no rules, the first ones relax nothing.
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n");
    repo.git(&["add", "guards.toml"]);
    git(&repo, &["commit", "-q", "-m", "the first rules"]).expect(0);
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"links-resolve\"\ngrants = [\"repo\", \"net\"]\n");
    repo.git(&["add", "guards.toml"]);
    let said = git(&repo, &["commit", "-m", "rules"]).expect(1).stderr;
    assert!(said.contains("GUARDHOST_ALLOW_RULE_CHANGES=1 git commit"), "{said}");
    git(&repo, &["commit", "--no-verify", "-m", "rules"]).expect(128);
    git_with(&repo, &["commit", "-q", "-m", "rules"], &[("GUARDHOST_ALLOW_RULE_CHANGES", "1")]).expect(0);
}

/// What is wrong with the change is in the branch already; another message does not bring it in.
#[test]
fn a_commit_may_get_another_message_whatever_it_changes() {
    let repo = TestRepo::with(&[("x.py", GOOD), ("README.md", "# x\n")]);
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n");
    repo.commit("rules");
    host(repo.path(), &["install", "git"]).expect(0);
    git(&repo, &["commit", "-q", "--amend", "-m", "rules, said better"]).expect(0);
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "rules, said better");
    // Anything beside the message is judged.
    let amend = ["commit", "-q", "--amend", "--no-verify", "-m", "more"];
    repo.write("guards.toml", "schema = 1\n");
    repo.git(&["add", "guards.toml"]);
    let ran = git(&repo, &amend).expect(128);
    assert!(ran.stderr.contains("guards.toml") && ran.stderr.contains("GUARDHOST_ALLOW_RULE_CHANGES"), "{ran:?}");

    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write("x.py", "def x():\n    return 2\n");
    repo.commit("two");
    repo.write("y.py", BAD);
    repo.commit("bad, and from before the hooks");
    host(repo.path(), &["install", "git"]).expect(0);
    git(&repo, &["commit", "-q", "--amend", "-m", "bad, and said so"]).expect(0);
    // The same files on another parent are another change.
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let moved = repo.git(&["commit-tree", &tree, "-p", "HEAD~2", "-m", "moved"]);
    let ran = git(&repo, &["update-ref", "refs/heads/moved", &moved]).expect(128);
    assert!(ran.stderr.contains("y.py:1"), "{ran:?}");
    repo.write("y.py", "def z(:\n");
    repo.git(&["add", "y.py"]);
    let ran = git(&repo, &amend).expect(128);
    assert!(ran.stderr.contains("y.py:1"), "{ran:?}");
}

/// What a guard says of the new message is compared whole, however long it is.
#[test]
fn another_message_is_rejected_for_what_it_says_itself() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    repo.write("guard.wasm", Guest::with_last_message().component());
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"));
    repo.commit("rules");
    repo.write("x.py", "def x():\n    return 2\n");
    let long = "so ".repeat(250);
    repo.commit(&format!("{long}and so"));
    host(repo.path(), &["install", "git"]).expect(0);
    let amend = |message: &str, author: &str| {
        git(&repo, &["commit", "-q", "--amend", "--no-verify", "-m", message, "--author", author])
    };
    amend(&format!("{long}and so"), "B <b@b>").expect(0);
    let ran = amend(&format!("{long}and no"), "A <a@b>").expect(128);
    assert!(ran.stderr.contains(ID), "{ran:?}");
}

#[test]
fn hooks_that_were_there_run_after_ours_with_the_same_input() {
    for script in [
        "#!/bin/sh\ncat >> \"$GIT_DIR_OF_TEST/$(basename \"$0\")\"\n",
        "#!/usr/bin/env python3\nimport os, sys\nopen(os.environ['GIT_DIR_OF_TEST'] + '/' + os.path.basename(sys.argv[0]).split('.')[0], 'a').write(sys.stdin.read())\n",
    ] {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        for hook in ["pre-commit", "reference-transaction"] {
            repo.write(format!(".git/hooks/{hook}"), script);
            repo.set_executable(&format!(".git/hooks/{hook}"), true);
        }
        host(repo.path(), &["install", "git"]).expect(0);
        let seen = tempfile::tempdir().unwrap();
        let env = [("GIT_DIR_OF_TEST", seen.path().to_str().unwrap())];
        repo.write("x.py", BAD);
        git_with(&repo, &["commit", "-q", "-am", "bad"], &env).expect(1);
        assert!(!seen.path().join("pre-commit").exists(), "ours ends it");
        repo.write("x.py", "def x():\n    return 5\n");
        git_with(&repo, &["commit", "-q", "-am", "good"], &env).expect(0);
        assert_eq!(std::fs::read_to_string(seen.path().join("pre-commit")).unwrap(), "");
        let lines = std::fs::read_to_string(seen.path().join("reference-transaction")).unwrap();
        assert!(lines.contains(" refs/heads/main\n") && !lines.contains("\n\n"), "{lines}");
    }
}

#[test]
fn without_the_program_nothing_is_committed() {
    let repo = repo();
    for hook in ["pre-commit", "reference-transaction"] {
        let path = format!(".git/hooks/{hook}");
        let script = String::from_utf8(repo.read(&path)).unwrap();
        repo.write(&path, script.replace(env!("CARGO_BIN_EXE_host"), "/nonexistent/host"));
    }
    repo.write("x.py", "def x():\n    return 6\n");
    let ran = git(&repo, &["commit", "-q", "--no-verify", "-am", "six"]).expect(128);
    assert!(ran.stderr.contains("/nonexistent/host"), "{ran:?}");
}

/// A commit in a linked work tree, with only some files, and of a repository that git is told about.
#[test]
fn wherever_git_works_its_hooks_find_the_change() {
    let repo = repo();
    let tree = repo.path().join("../tree");
    repo.git(&["worktree", "add", "-q", "-b", "linked", tree.to_str().unwrap()]);
    std::fs::write(tree.join("x.py"), BAD).unwrap();
    let at = tree.to_str().unwrap();
    git(&repo, &["-C", at, "commit", "-q", "-am", "bad"]).expect(1);
    git(&repo, &["-C", at, "commit", "-q", "--no-verify", "-am", "bad"]).expect(128);
    repo.write("x.py", BAD);
    repo.write("README.md", "# x\n\nMore.\n");
    git(&repo, &["commit", "-q", "-m", "one file", "README.md"]).expect(0);
    git(&repo, &["commit", "-q", "-m", "the other", "x.py"]).expect(1);
    let (dir, elsewhere) = (repo.path().join(".git"), tempfile::tempdir().unwrap());
    let named = ["--git-dir", dir.to_str().unwrap(), "--work-tree", repo.path().to_str().unwrap()];
    let args = [&["-C", elsewhere.path().to_str().unwrap()], &named[..], &["commit", "-q", "-am", "bad"]].concat();
    let ran = git(&repo, &args).expect(1);
    assert!(ran.stderr.contains("x.py:1"), "{ran:?}");
}

#[test]
fn a_new_branch_is_judged_by_what_no_other_has() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    const ZERO: &str = "0000000000000000000000000000000000000000";
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("y.py", GOOD);
    repo.commit("good");
    repo.write("z.py", BAD);
    repo.commit("bad");
    let json = host(repo.path(), &["check", "--range", &format!("{ZERO}..topic"), "--format", "json"]).expect(1).json();
    assert_eq!(json["base"], repo.oid("main").to_string());
    for spec in [format!("{ZERO}...topic~1"), format!("{ZERO}..")] {
        let json = host(repo.path(), &["check", "--range", &spec, "--format", "json"]).json();
        assert_eq!(json["base"], repo.oid("main").to_string(), "{spec}: {json}");
    }
    // A branch that was deleted.
    for spec in [format!("HEAD..{ZERO}"), format!("topic...{ZERO}")] {
        let deleted = host(repo.path(), &["check", "--range", &spec]).expect(8);
        assert!(
            deleted.stderr.contains("a branch was deleted") && deleted.stderr.contains("--allow-empty"),
            "{deleted:?}"
        );
        host(repo.path(), &["check", "--range", &spec, "--allow-empty"]).expect(0);
    }
    host(repo.path(), &["check", "--range", &format!("{ZERO}..{ZERO}")]).expect(2);
    host(repo.path(), &["check", "--range", &format!("nowhere..{ZERO}")]).expect(2);
    let unknown = host(repo.path(), &["check", "--range", "1111111111111111111111111111111111111111..topic"]).expect(2);
    assert!(unknown.stderr.contains("no such revision"), "{unknown:?}");
}

#[test]
fn check_judges_the_work_tree() {
    let repo = TestRepo::with(&[("x.py", GOOD), (".gitignore", "*.log\n")]);
    host(repo.path(), &["check", "--worktree"]).expect(8);
    repo.write("new/y.py", BAD);
    repo.write("a.log", "noise");
    let before = (repo.status(), repo.snapshot());
    let json = host(repo.path(), &["check", "--worktree", "--format", "json"]).expect(1).json();
    assert_eq!(json["verdict"], "reject");
    assert!(json.to_string().contains("new/y.py") && !json.to_string().contains("a.log"), "{json}");
    assert_eq!((repo.status(), repo.snapshot()), before);
    host(repo.path(), &["check", "--worktree", "--staged"]).expect(2);
}

#[test]
fn a_fix_of_what_git_staged_for_one_commit_is_found() {
    let repo = repo();
    repo.write("x.py", "```python\ndef x():\n    return 2\n```\n");
    git(&repo, &["commit", "-qam", "git stages it for this alone"]).expect(1);
    for options in [&["--staged", "--fix"][..], &["--staged"], &["--fix"]] {
        let ran = host(repo.path(), &[&["check"][..], options].concat()).expect(8);
        assert!(ran.stderr.contains("`git add -u` stages") && ran.stderr.contains("--worktree"), "{ran:?}");
    }
    repo.git(&["add", "-u"]);
    host(repo.path(), &["check", "--staged", "--fix"]).expect(0);
    git(&repo, &["commit", "-qm", "mended"]).expect(0);
}
