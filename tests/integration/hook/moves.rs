//! What the gate notes of moves, where git does not make them, and where two commands make them at once.

use guardhost_gate::branch::{KnownCommit, Ledger, LetIn, SeenBranch};

use crate::support::cli::host;
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n";
const OTHER: &str = "schema = 1\n\n[policy]\nrounds = 2\n\n[[guard]]\nid = \"syntax-holds\"\n";
const ALLOWED: (&str, &str) = ("GUARDHOST_ALLOW_RULE_CHANGES", "1");

/// A hook of the repository's own, which runs behind the host's: what it does once, when git is about to move a branch.
fn stopping(how: &str) -> String {
    format!(
        "#!/bin/sh\nif [ \"$1\" = prepared ] && [ -e \"$(git rev-parse --git-common-dir)/stop\" ]; then\n  \
         rm \"$(git rev-parse --git-common-dir)/stop\"\n  {how}\nfi\n"
    )
}

/// The gate lets a move in, and git does not make it: the branch stands where it stood for the gate too, and nobody is locked out. It is not
/// told, since a killed git tells nobody; and while one command waits, others move other branches.
#[test]
fn what_git_did_not_move_did_not_happen() {
    const ELSEWHERE: &str =
        "(unset $(git rev-parse --local-env-vars); cd ../beside && git commit -q --allow-empty -m beside) || exit 3";
    for how in ["exit 1", &format!("{ELSEWHERE}\n  exit 1"), "kill -9 $PPID", &format!("{ELSEWHERE}\n  kill -9 $PPID")]
    {
        for (before, rules, env) in [(None, RULES, &[][..]), (Some(RULES), OTHER, &[ALLOWED][..])] {
            let repo = TestRepo::with(&[("x.py", GOOD)]);
            if let Some(before) = before {
                repo.write("guards.toml", before);
                repo.commit("rules");
            }
            repo.git(&["worktree", "add", "-q", "../beside"]);
            repo.write(".git/hooks/reference-transaction", stopping(how));
            repo.set_executable(".git/hooks/reference-transaction", true);
            host(repo.path(), &["install", "git"]).expect(0);
            repo.write(".git/stop", "");
            repo.write("guards.toml", rules);
            repo.git(&["add", "guards.toml"]);
            // A killed git leaves its locks, and says so to the next.
            let command = "GIT_AUTHOR_NAME=x git commit -qm stopped; for lock in .git/index.lock .git/HEAD.lock .git/refs/heads/main.lock; do rm -f $lock; done";
            let mut shell = std::process::Command::new("sh");
            shell.arg("-c").arg(command).current_dir(repo.path()).env_clear().env("HOME", crate::support::cli::home());
            shell.env("PATH", std::env::var_os("PATH").unwrap()).envs(env.iter().copied()).status().unwrap();
            assert!(!repo.path().join(".git/stop").exists(), "the hook did not run: {how}");
            assert_ne!(repo.git(&["log", "--format=%s", "-1"]).trim(), "stopped", "{how}");
            let is_beside = how.starts_with(ELSEWHERE);
            assert_eq!(repo.git(&["log", "--format=%s", "-1", "beside"]).trim() == "beside", is_beside, "{how}");
            repo.git(&["reset", "-q", "--hard"]);
            repo.write("y.py", GOOD);
            repo.git(&["add", "y.py"]);
            for author in [&[("CLAUDECODE", "1")][..], &[]] {
                let ran = git_with(&repo, &["commit", "-q", "--allow-empty", "-m", "other"], author);
                assert!(ran.code == 0, "{how}, {author:?}: {ran:?}");
            }
        }
    }
}

/// What was moved is remembered, whether the branch was deleted, with or without hooks, or renamed.
#[test]
fn what_git_moved_stays_known() {
    for away in [
        &["branch", "-D", "topic"][..],
        &["-c", "core.hooksPath=/dev/null", "branch", "-D", "topic"],
        &["branch", "-M", "topic", "gone"],
    ] {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        host(repo.path(), &["install", "git"]).expect(0);
        git(&repo, &["checkout", "-q", "-b", "topic"]).expect(0);
        repo.write("guards.toml", RULES);
        repo.git(&["add", "guards.toml"]);
        git(&repo, &["commit", "-qm", "rules"]).expect(0);
        git(&repo, &["checkout", "-q", "main"]).expect(0);
        repo.write("y.py", GOOD);
        repo.git(&["add", "y.py"]);
        git(&repo, &["commit", "-qm", "y"]).expect(0);
        repo.git(away);
        let ran = git_with(&repo, &["branch", "topic", "main"], &[("CLAUDECODE", "1")]);
        assert!(ran.code != 0 && ran.stderr.contains("guards.toml"), "{away:?}: {ran:?}");
    }
}

/// Of two commands that begin where nothing is known yet, the second takes nothing from the first.
#[test]
fn two_that_begin_at_once_lose_nothing() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    let (cache, opened) = (tempfile::tempdir().unwrap(), repo.open());
    let ledger = || Ledger::open(&opened, Some(cache.path()));
    let (mut first, mut second) = (ledger(), ledger());
    let tip = repo.oid("HEAD");
    first.installed(&opened).unwrap();
    let known = KnownCommit { how: LetIn::Judged, commit: tip, rules: Vec::new() };
    first.add(std::slice::from_ref(&known), &[("refs/heads/topic".to_owned(), SeenBranch::Moves(tip))]).unwrap();
    second.installed(&opened).unwrap();
    let after = ledger();
    assert!(after.is_installed() && after.entries().contains(&known), "{}", after.text());
    assert_eq!(after.stood("refs/heads/topic"), Some(tip));
}
