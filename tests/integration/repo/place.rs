//! A candidate in index and work tree: whole, or not at all.

use std::fs;
use std::os::unix::ffi::OsStrExt;

use guardhost_core::change::{Candidate, FileMode, NullObserver, Objects, RepoPath, TreeEntry};
use guardhost_core::error::{FaultKind, fault};
use guardhost_git::{Repo, apply_to_worktree, range};
use proptest::prelude::*;

use crate::support::mutate::{mutate, mutations};
use crate::support::repo::TestRepo;

/// What HEAD would become with these files; None removes one.
fn candidate(repo: &Repo, files: &[(&[u8], Option<&[u8]>)]) -> Candidate {
    let (store, head) = (repo.store(), repo.head().unwrap());
    let entry = |bytes: &[u8]| TreeEntry { oid: store.put_blob(bytes).unwrap(), mode: FileMode::File };
    let edits: Vec<_> = files.iter().map(|(path, content)| (RepoPath::new(*path), content.map(entry))).collect();
    let tree = store.edit_tree(head.tree, &edits).unwrap();
    Candidate {
        base: head.commit,
        base_tree: head.tree,
        tree,
        files: Vec::new(),
        strategy: None,
        notes: Vec::new(),
        message: None,
        commits: Vec::new(),
        objects: store,
    }
}

/// Index and work tree hold the candidate and nothing else differs; git is asked with its stamps refreshed and not.
fn placed(repo: &TestRepo, candidate: &Candidate) {
    assert_eq!(repo.git(&["diff-files", "--name-only"]), "", "git would have to read files again");
    assert_eq!(repo.git(&["write-tree"]), candidate.tree.to_string());
    let unstaged = repo.status();
    assert!(unstaged.lines().all(|line| line.as_bytes()[1] == b' '), "{unstaged}");
    assert_eq!(fs::read_dir(repo.path().join(".git/guardhost")).map(Iterator::count).unwrap_or(0), 0);
    assert!(!repo.path().join(".git/index.lock").exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    /// Placing what a history changed gives what git's own checkout gives.
    #[test]
    fn places_any_change(before in mutations(), steps in mutations()) {
        let repo = TestRepo::with(&[("a/b", "first\n"), ("b/c/d", "second\n"), ("z", "third\n")]);
        before.iter().for_each(|step| mutate(&repo, step));
        let base = repo.commit("base");
        steps.iter().for_each(|step| mutate(&repo, step));
        let tip = repo.commit("tip");
        repo.git(&["checkout", "-q", "--force", &base.to_string()]);
        repo.git(&["clean", "-q", "-ffdx"]);
        let candidate = range(&repo.open(), &format!("{base}..{tip}")).unwrap();
        apply_to_worktree(&repo.open(), &candidate, &NullObserver).unwrap();
        placed(&repo, &candidate);
        let mut ours = repo.snapshot();
        repo.git(&["checkout", "-q", "--force", &tip.to_string()]);
        let mut theirs = repo.snapshot();
        for name in [".git/HEAD", ".git/index"] {
            ours.remove(std::path::Path::new(name));
            theirs.remove(std::path::Path::new(name));
        }
        prop_assert_eq!(ours, theirs);
    }
}

#[test]
fn places_beside_unrelated_work() {
    let repo = TestRepo::with(&[("a", "a\n"), ("dir/b", "b\n"), ("dir/c", "c\n"), (".gitignore", "*.o\n")]);
    repo.write("dir/c", "staged by the user\n");
    repo.git(&["add", "dir/c"]);
    repo.write("a", "edited by the user\n");
    repo.write("notes", "untracked\n");
    repo.write("dir/x.o", "ignored\n");
    let opened = repo.open();
    let name = b"caf\xe9.txt".as_slice();
    let candidate =
        candidate(&opened, &[(b"dir/b", Some(b"B\n")), (name, Some(b"new\n")), (b"deep/er/new", Some(b"new\n"))]);
    apply_to_worktree(&opened, &candidate, &NullObserver).unwrap();
    assert_eq!(repo.read("dir/b"), b"B\n");
    assert_eq!(fs::read(repo.path().join(std::ffi::OsStr::from_bytes(name))).unwrap(), b"new\n");
    assert_eq!(repo.status(), " M a\nA  \"caf\\351.txt\"\nA  deep/er/new\nM  dir/b\nM  dir/c\n?? notes\n!! dir/x.o");
    assert_eq!(repo.read("notes"), b"untracked\n");
}

#[test]
fn converts_line_endings_as_the_repository_says() {
    let repo = TestRepo::with(&[
        (".gitattributes", "*.bat text eol=crlf\n*.id ident\n"),
        ("a.txt", "one\n"),
        ("b.bat", "one\r\n"),
    ]);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.git(&["rm", "-q", "--cached", "-r", "."]);
    repo.git(&["reset", "-q", "--hard"]);
    assert_eq!(repo.read("a.txt"), b"one\r\n");
    let opened = repo.open();
    let files: &[(&[u8], Option<&[u8]>)] =
        &[(b"a.txt", Some(b"one\ntwo\n")), (b"b.bat", Some(b"two\n")), (b"c.id", Some(b"$Id$\n"))];
    let candidate = candidate(&opened, files);
    apply_to_worktree(&opened, &candidate, &NullObserver).unwrap();
    assert_eq!((repo.read("a.txt"), repo.read("b.bat")), (b"one\r\ntwo\r\n".to_vec(), b"two\r\n".to_vec()));
    assert!(repo.read("c.id").starts_with(b"$Id: "));
    placed(&repo, &candidate);
}

#[test]
fn places_into_a_sparse_worktree_and_a_linked_one() {
    let repo = TestRepo::with(&[("in/a", "a\n"), ("out/b", "b\n")]);
    let linked = repo.path().parent().unwrap().join("linked");
    repo.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let opened = Repo::open(&linked).unwrap();
    apply_to_worktree(&opened, &candidate(&opened, &[(b"in/a", Some(b"linked\n"))]), &NullObserver).unwrap();
    assert_eq!(fs::read(linked.join("in/a")).unwrap(), b"linked\n");
    assert_eq!(repo.status(), "");
    repo.git(&["sparse-checkout", "set", "--no-sparse-index", "in"]);
    let opened = repo.open();
    let candidate = candidate(&opened, &[(b"out/b", Some(b"B\n")), (b"in/a", Some(b"A\n"))]);
    apply_to_worktree(&opened, &candidate, &NullObserver).unwrap();
    placed(&repo, &candidate);
    assert_eq!(repo.read("out/b"), b"B\n");
}

#[test]
fn places_where_nothing_was_ever_staged() {
    let repo = TestRepo::new();
    let opened = repo.open();
    let candidate = candidate(&opened, &[(b"src/a", Some(b"a\n"))]);
    apply_to_worktree(&opened, &candidate, &NullObserver).unwrap();
    placed(&repo, &candidate);
    assert_eq!(repo.status(), "A  src/a");
}

/// A way to spoil a repository, and what is said of the path.
type Obstacle = (&'static str, fn(&TestRepo), &'static str);

const OBSTACLES: [Obstacle; 16] = [
    ("changed", |repo| repo.write("edit", "mine\n"), "edit (changed in the work tree)"),
    ("same size, later", |repo| repo.write("edit", "EDIT\n"), "edit (changed in the work tree)"),
    (
        "assumed unchanged",
        |repo| {
            repo.git(&["update-index", "--assume-unchanged", "edit"]);
            repo.write("edit", "mine\n");
        },
        "edit (changed in the work tree)",
    ),
    (
        "staged",
        |repo| {
            repo.write("edit", "mine\n");
            repo.git(&["add", "edit"]);
            repo.write("edit", "edit\n");
        },
        "edit (has staged changes)",
    ),
    ("removed", |repo| repo.remove("edit"), "edit (deleted in the work tree)"),
    ("executable", |repo| repo.set_executable("edit", true), "edit (changed in the work tree)"),
    ("a link", |repo| repo.symlink("gone", "edit"), "edit (changed in the work tree)"),
    (
        "a directory",
        |repo| {
            repo.remove("edit");
            fs::create_dir(repo.path().join("edit")).unwrap();
        },
        "edit (changed in the work tree)",
    ),
    ("to be deleted, changed", |repo| repo.write("gone", "mine\n"), "gone (changed in the work tree)"),
    ("untracked", |repo| repo.write("new/file", "mine\n"), "new/file (an untracked file)"),
    ("ignored", |repo| repo.write("new.o", "mine\n"), "new.o (an ignored file)"),
    ("a directory in the way", |repo| repo.write("new.o/x/y", "mine\n"), "new.o (a directory with other files in it)"),
    ("a file above", |repo| repo.write("new", "mine\n"), "new/file (below a file that is not part of the change)"),
    ("a link above", |repo| repo.symlink("..", "new"), "new/file (below a symbolic link)"),
    ("a repository above", |repo| drop(repo.git(&["init", "-q", "new"])), "new/file (inside another repository)"),
    (
        "a filter",
        |repo| {
            repo.git(&["config", "filter.lfs.clean", "cat"]);
            repo.write(".git/info/attributes", "edit filter=lfs\n");
        },
        "edit (converted by a filter program",
    ),
];

#[test]
fn refuses_what_would_be_lost_and_touches_nothing() {
    for (name, spoil, words) in OBSTACLES {
        let repo = TestRepo::with(&[("edit", "edit\n"), ("gone", "gone\n"), (".gitignore", "*.o\n")]);
        spoil(&repo);
        let before = repo.snapshot();
        let opened = repo.open();
        let candidate = candidate(
            &opened,
            &[
                (b"edit", Some(b"edited\n")),
                (b"gone", None),
                (b"new/file", Some(b"x\n")),
                (b"new.o", Some(b"x\n")),
                (b"fine", Some(b"x\n")),
            ],
        );
        let objects = repo.git(&["count-objects", "-v"]);
        let error = apply_to_worktree(&opened, &candidate, &NullObserver).unwrap_err();
        assert!(error.to_string().contains(words), "{name}: {error:#}");
        assert_eq!(fault(&error).unwrap().kind, FaultKind::Git);
        assert_eq!(repo.snapshot(), before, "{name}");
        assert_eq!(repo.git(&["count-objects", "-v"]), objects, "{name}");
        assert!(!repo.path().join(".git/index.lock").exists(), "{name}");
    }
}

#[test]
fn names_every_file_in_the_way() {
    let repo = TestRepo::with(&[("a", "a\n"), ("b", "b\n")]);
    repo.write("a", "mine\n");
    repo.write("c", "mine\n");
    let opened = repo.open();
    let candidate = candidate(&opened, &[(b"a", None), (b"b", None), (b"c", Some(b"x\n"))]);
    let error = apply_to_worktree(&opened, &candidate, &NullObserver).unwrap_err().to_string();
    assert!(error.ends_with("a (changed in the work tree), c (an untracked file)"), "{error}");
}

#[test]
fn refuses_where_it_cannot_write_an_index() {
    let repo = TestRepo::with(&[("a", "a\n"), ("out/b", "b\n")]);
    let opened = repo.open();
    let change = candidate(&opened, &[(b"a", Some(b"A\n"))]);
    let refused = |words: &str| {
        let before = repo.snapshot();
        let error = apply_to_worktree(&opened, &change, &NullObserver).unwrap_err();
        assert!(format!("{error:#} {:?}", fault(&error).unwrap().hint).contains(words), "{words}: {error:#}");
        assert_eq!(repo.snapshot(), before);
    };
    repo.write(".git/index.lock", "");
    refused("index.lock");
    assert!(repo.path().join(".git/index.lock").exists(), "the lock is another's");
    repo.remove(".git/index.lock");
    repo.git(&["update-index", "--split-index"]);
    refused("--no-split-index");
    repo.git(&["update-index", "--no-split-index"]);
    repo.git(&["sparse-checkout", "set", "--sparse-index", "in"]);
    refused("--no-sparse-index");
    repo.git(&["sparse-checkout", "disable"]);
    repo.write("a", "moved on\n");
    repo.commit("HEAD moves");
    refused("HEAD is no longer");
    let bare = TestRepo::bare();
    assert!(apply_to_worktree(&bare.open(), &change, &NullObserver).unwrap_err().to_string().contains("bare"));
}
