//! What is no file, in the place of a file that the host reads: a FIFO, which waits for its other end, and `/dev/zero`, which has none.
//! Each of these commands would go on for ever.

use std::process::Command;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const PATCH: &[u8] = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";

fn fifo(repo: &TestRepo, path: &str) {
    let full = repo.path().join(path);
    std::fs::create_dir_all(full.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&full);
    assert!(Command::new("mkfifo").arg(full).status().unwrap().success());
}

#[test]
fn a_fifo_in_the_place_of_a_journal_or_a_lock_is_named() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let before = (repo.status(), repo.snapshot());
    for file in ["place.lock", "place/journal"] {
        fifo(&repo, &format!(".git/guardhost/{file}"));
        let applied = host_with(repo.path(), &["apply", "--no-guards", "--patch", "-"], PATCH, &[]).expect(7);
        assert!(applied.stderr.contains(file) && applied.stderr.contains("no regular file"), "{applied:?}");
        let doctor = host(repo.path(), &["doctor"]).expect(3);
        assert!(format!("{doctor:?}").contains("no regular file"), "{doctor:?}");
        assert_eq!((repo.status(), repo.snapshot()), before, "{file}");
        std::fs::remove_file(repo.path().join(".git/guardhost").join(file)).unwrap();
    }
    host_with(repo.path(), &["apply", "--no-guards", "--patch", "-"], PATCH, &[]).expect(0);
}

#[test]
fn a_fifo_in_the_place_of_a_record_is_named() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let run = "01a2094e-33c0-769f-9ef0-082c0fc824a6";
    fifo(&repo, &format!(".git/guardhost/runs/{run}/records.jsonl"));
    for args in
        [&["log"][..], &["log", run], &["accept"], &["show", "--diff", run], &["discard", run], &["replay", run]]
    {
        let ran = host(repo.path(), args);
        assert!(ran.code != 0 && ran.stderr.contains("no regular file"), "{args:?}: {ran:?}");
    }
    repo.write("a.py", "x = 2\n");
    host(repo.path(), &["check", "--worktree"]).expect(0);
}

#[test]
fn rules_that_are_no_file_are_named() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    fifo(&repo, "guards.toml");
    for args in [&["guard", "lock"][..], &["guard", "add", "docs-kept"], &["guard", "verify"]] {
        let ran = host(repo.path(), args).expect(3);
        assert!(ran.stderr.contains("guards.toml") && ran.stderr.contains("no regular file"), "{args:?}: {ran:?}");
    }
    repo.remove("guards.toml");
    repo.write("a.py", "x = 2\n");
    let endless = host(repo.path(), &["check", "--worktree", "--config", "/dev/zero"]).expect(3);
    assert!(endless.stderr.contains("/dev/zero has more than 16 MiB"), "{endless:?}");
}

#[test]
fn what_is_no_file_is_named_by_an_installation() {
    let home = tempfile::tempdir().unwrap();
    let env = [("HOME", home.path().to_str().unwrap())];
    for (target, path) in [
        ("claude", ".claude/settings.local.json"),
        ("codex", ".codex/hooks.json"),
        ("lefthook", "lefthook.yml"),
        ("pre-commit", ".pre-commit-config.yaml"),
        ("gitlab", ".gitlab-ci.yml"),
        ("github", ".github/workflows/guardhost.yml"),
        ("plugin", "p/README.md"),
        ("plugin", "p/guardhost.sha256"),
    ] {
        let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
        fifo(&repo, path);
        let scope: &[&str] = if target == "plugin" { &["--dir", "p"] } else { &["--scope", "repo"] };
        for more in [&[][..], &["--dry-run"], &["--remove"], &["--status"]] {
            let args = [&["install", target][..], scope, more].concat();
            let ran = host_with(repo.path(), &args, b"", &env);
            assert!(ran.code != 0 && ran.stderr.contains("no regular file"), "{args:?}: {ran:?}");
        }
    }
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    std::fs::create_dir(repo.path().join(".claude")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", repo.path().join(".claude/settings.local.json")).unwrap();
    let status = host_with(repo.path(), &["install", "--status"], b"", &env).expect(3);
    assert!(status.stderr.contains("no regular file"), "{status:?}");
}
