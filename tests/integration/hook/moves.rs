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

/// Packing removes the file of each branch by a transaction that looks as if the branch were deleted. The host is asked for all that are
/// packed at once, and for each that is really deleted.
#[test]
fn packing_asks_once_and_every_deletion_asks() {
    let repo = TestRepo::with(&[("x.py", GOOD)]);
    host(repo.path(), &["install", "git"]).expect(0);
    let counting =
        "#!/bin/sh\ninput=$(cat)\nprintf '%s\\n' \"$input\" >>ASKED\nprintf '%s\\n' \"$input\" | exec HOST \"$@\"\n";
    let asked = repo.path().join(".git/asked");
    let counting = counting.replace("ASKED", asked.to_str().unwrap()).replace("HOST", env!("CARGO_BIN_EXE_host"));
    repo.write(".git/counting", counting);
    repo.set_executable(".git/counting", true);
    let hook = ".git/hooks/reference-transaction";
    let counter = repo.path().join(".git/counting");
    let script = String::from_utf8(repo.read(hook)).unwrap();
    repo.write(hook, script.replace(env!("CARGO_BIN_EXE_host"), counter.to_str().unwrap()));
    let names: Vec<String> = (0..6).map(|number| format!("b{number}")).collect();
    let branches = || names.iter().for_each(|name| drop(git(&repo, &["branch", "-f", name]).expect(0)));
    repo.git(&["worktree", "add", "-q", "--detach", "../beside"]);
    // Which branches go, as the host is told.
    let gone = |args: &[&str]| {
        let _ = std::fs::remove_file(&asked);
        git(&repo, args).expect(0);
        let told = std::fs::read_to_string(&asked).unwrap_or_default();
        let gone = |line: &&str| line.split(' ').nth(1).is_some_and(|new| new.bytes().all(|digit| digit == b'0'));
        told.lines().filter(gone).filter_map(|line| line.rsplit('/').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    branches();
    for packing in [
        &["pack-refs", "--all"][..],
        &["gc", "-q"],
        &["-C", "../beside", "pack-refs", "--all"],
        &["pack-refs", "--all"],
    ] {
        repo.write("y.py", format!("def y():\n    return {:?}\n", packing.len()));
        repo.git(&["add", "y.py"]);
        git(&repo, &["commit", "-q", "--allow-empty", "-m", "another"]).expect(0);
        branches();
        assert_eq!(gone(packing), Vec::<String>::new(), "{packing:?}");
        assert!(!repo.path().join(".git/refs/heads/b0").exists(), "{packing:?} packs");
    }
    // Packed, packed and with a file of the same or of another value, and with a file alone.
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "newer"]).expect(0);
    for loose in ["b1", "b2", "b3"] {
        git(&repo, &["branch", "-f", loose]).expect(0);
    }
    repo.write(".git/refs/heads/b4", repo.git(&["rev-parse", "b4"]) + "\n");
    git(&repo, &["branch", "only"]).expect(0);
    let b2 = repo.git(&["rev-parse", "b2"]);
    for (name, deletion) in [
        ("b0", &["branch", "-q", "-D", "b0"][..]),
        ("b1", &["branch", "-q", "-D", "b1"]),
        ("b2", &["update-ref", "-d", "refs/heads/b2", b2.trim()]),
        ("b3", &["-C", "../beside", "branch", "-q", "-D", "b3"]),
        ("b4", &["branch", "-q", "-D", "b4"]),
        ("only", &["branch", "-q", "-D", "only"]),
    ] {
        assert!(gone(deletion).iter().any(|told| told == name), "{deletion:?}");
    }
}
