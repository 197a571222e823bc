//! pre-commit, prek and lefthook as they are published start the host.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::cli::{Ran, guardhost, home, host};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const GOOD: &str = "def x():\n    return 1\n";
const BAD: &str = "def x(:\n    return 2\n";

/// Starts a program in the repository, with a folder and `guardhost` in front of the PATH.
fn run(repo: &TestRepo, bin: &Path, program: &str, args: &[&str]) -> Ran {
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(
        [bin.to_path_buf(), guardhost().to_path_buf()].into_iter().chain(std::env::split_paths(&path)),
    );
    let mut command = Command::new(program);
    command.current_dir(repo.path()).args(args).env_clear().env("PATH", path.unwrap()).env("HOME", home());
    let output = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A bad commit is refused with the reason; a good one and an empty one pass.
fn judges_commits(repo: &TestRepo, bin: &Path) {
    let git = |args: &[&str]| run(repo, bin, "git", args);
    let before = repo.oid("HEAD");
    repo.write("x.py", BAD);
    let ran = git(&["commit", "-am", "bad"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(ran.code != 0 && said.contains("x.py:1"), "{ran:?}");
    assert_eq!(repo.oid("HEAD"), before);
    repo.write("x.py", "def x():\n    return 3\n");
    git(&["commit", "-am", "good"]).expect(0);
    git(&["commit", "--allow-empty", "-m", "empty"]).expect(0);
    git(&["commit", "--amend", "--allow-empty", "-m", "another message"]).expect(0);
}

fn frameworks() -> Vec<(&'static str, PathBuf)> {
    let found = [("pre-commit", needs(Tool::PreCommit)), ("prek", needs(Tool::Prek))];
    found.into_iter().filter_map(|(name, folder)| Some((name, folder?.join("bin")))).collect()
}

#[test]
fn pre_commit_and_prek() {
    for (name, bin) in frameworks() {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        host(repo.path(), &["install", name]).expect(0);
        repo.commit("settings");
        let program = bin.join(name).display().to_string();
        run(&repo, &bin, &program, &["install", "-t", "pre-commit", "-t", "pre-push"]).expect(0);
        judges_commits(&repo, &bin);
        // A commit that went past the hook is found in its range, by name and by the words for a new branch.
        repo.write("x.py", BAD);
        run(&repo, &bin, "git", &["commit", "--no-verify", "-am", "bad"]).expect(0);
        let range = ["run", "--all-files", "--from-ref", "HEAD~1", "--to-ref", "HEAD"];
        let range: Vec<&str> = range.into_iter().filter(|word| *word != "--all-files").collect();
        let ran = run(&repo, &bin, &program, &range).expect(1);
        assert!(ran.stdout.contains("x.py:1"), "{name}: {ran:?}");
        let remote = TestRepo::bare();
        repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
        let ran = run(&repo, &bin, "git", &["push", "origin", "main"]);
        assert!(ran.code != 0 && format!("{}{}", ran.stdout, ran.stderr).contains("x.py"), "{name}: {ran:?}");
    }
}

/// `.pre-commit-hooks.yaml` of this project, as a repository that names it.
#[test]
fn as_a_repository_of_hooks() {
    for (name, bin) in frameworks() {
        let hooks = TestRepo::with(&[(".pre-commit-hooks.yaml", include_str!("../../../.pre-commit-hooks.yaml"))]);
        hooks.git(&["tag", "v1"]);
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        let settings =
            format!("repos:\n  - repo: {}\n    rev: v1\n    hooks:\n      - id: guardhost\n", hooks.path().display());
        repo.write(".pre-commit-config.yaml", settings);
        repo.commit("settings");
        let program = bin.join(name).display().to_string();
        run(&repo, &bin, &program, &["install"]).expect(0);
        judges_commits(&repo, &bin);
    }
}

#[test]
fn lefthook() {
    let (Some(program), Some(_)) = (needs(Tool::Lefthook), needs(Tool::Node)) else { return };
    for before in [None, Some(include_str!("../../install/lefthook/no-list.yml"))] {
        let repo = TestRepo::with(&[("x.py", GOOD)]);
        if let Some(before) = before {
            repo.write("lefthook.yml", before);
        }
        host(repo.path(), &["install", "lefthook"]).expect(0);
        repo.commit("settings");
        let bin = program.parent().unwrap();
        run(&repo, bin, program.to_str().unwrap(), &["install"]).expect(0);
        judges_commits(&repo, bin);
    }
}
