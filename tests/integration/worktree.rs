//! The candidate in the work tree is what `git add --all` would stage; git itself says so.

use std::path::Path;

use guardhost_core::change::RepoPath;
use guardhost_git::{Repo, worktree};

use crate::support::repo::{TestRepo, git_in};

/// The tree of everything in the work tree, by git, in an index of its own.
fn by_git(repo: &TestRepo) -> String {
    let clone = tempfile::tempdir().unwrap();
    let copy = clone.path().join("copy");
    let status = std::process::Command::new("cp").arg("-a").arg(repo.path()).arg(&copy).status().unwrap();
    assert!(status.success());
    git_in(&copy, &["add", "--all"], b"");
    git_in(&copy, &["write-tree"], b"")
}

fn ours(repo: &TestRepo) -> String {
    let before = repo.snapshot();
    let candidate = worktree(&repo.open()).unwrap();
    assert_eq!(repo.snapshot(), before, "looking changed something");
    assert_eq!(candidate.base_tree.to_string(), repo.git(&["rev-parse", "HEAD^{tree}"]));
    candidate.tree.to_string()
}

#[test]
fn it_is_what_git_would_stage() {
    let repo = TestRepo::with(&[
        (".gitignore", "ignored/\n*.log\n"),
        ("kept", "kept\n"),
        ("edited", "1\n"),
        ("gone", "gone\n"),
        ("run.sh", "#!/bin/sh\n"),
        ("link", "a file\n"),
        ("folder/inside", "inside\n"),
        ("file", "file\n"),
        ("untracked-again", "still here\n"),
        ("staged-and-edited", "1\n"),
        ("kept.log.txt", "\n"),
    ]);
    assert_eq!(ours(&repo), by_git(&repo), "nothing has changed");
    repo.write("staged-and-edited", "2\n");
    repo.write("new-then-gone", "x\n");
    repo.stage_all();
    repo.write("staged-and-edited", "3\n");
    repo.remove("new-then-gone");
    repo.git(&["rm", "-q", "--cached", "untracked-again"]);
    repo.write("edited", "2\n");
    repo.remove("gone");
    repo.set_executable("run.sh", true);
    repo.symlink("kept", "link");
    repo.remove("folder/inside");
    std::fs::remove_dir(repo.path().join("folder")).unwrap();
    repo.write("folder", "now a file\n");
    repo.remove("file");
    repo.write("file/inside", "now a folder\n");
    repo.write("new/deep/file", "new\n");
    repo.write("announced", "soon\n");
    repo.git(&["add", "--intent-to-add", "announced"]);
    repo.write("ignored/x", "x");
    repo.write("x.log", "x");
    repo.symlink("../outside", "dangling");
    assert_eq!(ours(&repo), by_git(&repo));
}

#[test]
fn nothing_is_read_through_a_link() {
    let repo = TestRepo::with(&[("folder/x", "x\n"), ("y", "y\n")]);
    let outside = repo.path().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("x"), "not in this repository\n").unwrap();
    repo.remove("folder/x");
    std::fs::remove_dir(repo.path().join("folder")).unwrap();
    repo.symlink("../outside", "folder");
    repo.symlink("../outside/x", "y");
    assert_eq!(ours(&repo), by_git(&repo));
}

#[test]
fn line_endings_are_converted_as_git_converts_them() {
    let repo =
        TestRepo::with(&[(".gitattributes", "*.bat text eol=crlf\n*.txt text\n"), ("a.bat", "1\n"), ("b.txt", "1\n")]);
    repo.write("a.bat", "1\r\n2\r\n");
    repo.write("b.txt", "1\r\n3\r\n");
    repo.write("c.txt", "new\r\n");
    assert_eq!(ours(&repo), by_git(&repo));
}

#[test]
fn it_is_there_in_a_conflict_and_before_the_first_commit() {
    let repo = TestRepo::with(&[("x", "base\n")]);
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("x", "theirs\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("x", "ours\n");
    repo.commit("ours");
    let merged =
        std::process::Command::new("git").current_dir(repo.path()).args(["merge", "-q", "side"]).output().unwrap();
    assert!(!merged.status.success());
    assert_eq!(ours(&repo), by_git(&repo));

    let unborn = TestRepo::new();
    unborn.write("first", "1\n");
    let candidate = worktree(&unborn.open()).unwrap();
    assert_eq!(candidate.tree.to_string(), by_git(&unborn));
    assert_eq!(candidate.base, None);
}

#[test]
fn what_cannot_be_judged_is_named() {
    let repo = TestRepo::with(&[(".gitattributes", "*.bin filter=big\n"), ("a.bin", "pointer\n")]);
    repo.git(&["config", "filter.big.clean", "cat"]);
    repo.write("a.bin", "the real thing\n");
    repo.write("nested/x", "x");
    git_in(&repo.path().join("nested"), &["init", "-q"], b"");
    let candidate = worktree(&repo.open()).unwrap();
    assert!(candidate.files.is_empty(), "{:?}", candidate.files);
    let note = candidate.notes[0].to_string();
    assert!(note.contains("a.bin") && note.contains("nested"), "{note}");
}

#[test]
fn a_sparse_work_tree_has_lost_nothing() {
    let repo = TestRepo::with(&[("in/x", "x\n"), ("out/y", "y\n")]);
    repo.git(&["sparse-checkout", "set", "--no-cone", "/in/"]);
    assert!(!Path::new(&repo.path().join("out/y")).exists());
    repo.write("in/x", "2\n");
    let candidate = worktree(&Repo::open(repo.path()).unwrap()).unwrap();
    let touched: Vec<_> = candidate.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(touched, [RepoPath::from("in/x")]);
}

/// A host stages files in the work tree where the git directory is on another file system.
#[test]
fn files_that_another_host_stages_are_left_out() {
    let repo = TestRepo::with(&[("kept", "kept\n")]);
    repo.write("dir/.guardhost-0123456789abcdef0123456789abcdef/0", "staged\n");
    repo.write("dir/.guardhost-notes", "mine\n");
    let names: Vec<_> = worktree(&repo.open()).unwrap().files.iter().map(|file| file.path.to_string()).collect();
    assert_eq!(names, ["dir/.guardhost-notes"]);
}
