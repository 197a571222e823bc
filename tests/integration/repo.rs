//! The repository beneath: every odd state of an index, against git itself.

use std::fs;
use std::path::Path;

use guardhost_core::change::{Candidate, ChangeType, FileChange, FileMode, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::{Error, FaultKind, fault};
use guardhost_git::{Repo, new_commits, range, staged};
use proptest::prelude::*;

use crate::support::mutate::{mutate, mutations};
use crate::support::repo::{TestRepo, files_of, git_in};
use crate::support::tools::{Tool, needs};

mod names;
mod place;

/// `git diff --raw -M` as text, for a candidate.
fn raw(candidate: &Candidate) -> Vec<String> {
    candidate.files.iter().map(raw_line).collect()
}

fn raw_line(file: &FileChange) -> String {
    let side = |blob: Option<guardhost_core::change::Blob>| {
        blob.map_or((0, Oid::ZERO_SHA1), |blob| (blob.mode.raw(), blob.oid))
    };
    let ((old_mode, old), (new_mode, new)) = (side(file.before), side(file.after));
    let letter = match file.change_type {
        ChangeType::Add => "A",
        ChangeType::Delete => "D",
        ChangeType::Rename => "R",
        ChangeType::Copy => "C",
        ChangeType::Modify if old_mode & 0o170000 != new_mode & 0o170000 => "T",
        ChangeType::Modify => "M",
    };
    let from = file.old_path.as_ref().map(|path| format!("\t{path}")).unwrap_or_default();
    format!(":{old_mode:06o} {new_mode:06o} {old} {new} {letter}{from}\t{}", file.path)
}

/// The same from git, without the similarity's percentage, sorted by the new path.
fn git_raw(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let text = repo.git(&[&["-c", "core.quotePath=false", "diff", "--raw", "-M", "--no-abbrev"], args].concat());
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| {
            let (head, paths) = line.split_once('\t').unwrap();
            let (head, letter) = head.rsplit_once(' ').unwrap();
            format!("{head} {}\t{paths}", &letter[..1])
        })
        .collect();
    lines.sort_by_key(|line| line.rsplit('\t').next().unwrap().to_string());
    lines
}

/// The candidate in the index, held against git's own diff, its tree and its line counts.
fn staged_as_git(repo: &TestRepo) -> Candidate {
    let candidate = staged(&repo.open()).unwrap();
    assert_eq!(raw(&candidate), git_raw(repo, &["--cached"]));
    assert_eq!(candidate.tree.to_string(), repo.git(&["write-tree"]));
    let counted: u64 =
        candidate.touched().unwrap().iter().map(|file| u64::from(file.lines_added + file.lines_deleted)).sum();
    let numstat = repo.git(&["diff", "--cached", "--numstat", "-M"]);
    let expected = numstat.split_ascii_whitespace().filter_map(|word| word.parse::<u64>().ok()).sum::<u64>();
    assert_eq!(counted, expected, "{numstat}");
    candidate
}

fn fails(error: Error, kind: FaultKind, words: &str) -> Error {
    let found = fault(&error).unwrap_or_else(|| panic!("no fault in {error:?}"));
    assert_eq!(found.kind, kind);
    assert!(format!("{error:#}").contains(words), "{error:#}");
    error
}

fn hint(error: &Error) -> &str {
    fault(error).unwrap().hint.as_deref().unwrap()
}

#[test]
fn staged_changes_of_every_kind() {
    let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let repo = TestRepo::with(&[
        ("src/kept.rs", "fn kept() {}\n"),
        ("src/edited.rs", "one\ntwo\nthree\n"),
        ("src/gone.rs", "gone\n"),
        ("moved.txt", &long),
        ("mended.txt", &long.replace("line", "row")),
        ("tool.sh", "#!/bin/sh\n"),
        ("link", "a file that becomes a link\n"),
        ("dir/a", "a\n"),
        ("flat", "a file that becomes a directory\n"),
        ("a-b", "sorts between a and a/\n"),
    ]);
    repo.symlink("moved.txt", "points");
    repo.commit("a link");
    repo.write("src/edited.rs", "one\n2\nthree\nfour\n");
    repo.remove("src/gone.rs");
    fs::rename(repo.path().join("moved.txt"), repo.path().join("src/arrived.txt")).unwrap();
    repo.remove("mended.txt");
    repo.write("mended-elsewhere.txt", long.replace("line", "row").replace("row 3\n", "row three\n"));
    repo.set_executable("tool.sh", true);
    repo.symlink("tool.sh", "link");
    repo.symlink("tool.sh", "points");
    repo.remove("dir/a");
    fs::remove_dir(repo.path().join("dir")).unwrap();
    repo.write("dir", "a directory that becomes a file\n");
    repo.remove("flat");
    repo.write("flat/inside", "x\n");
    repo.write("picture.png", b"\x89PNG\0\0");
    repo.write("empty", "");
    repo.stage_all();
    let candidate = staged_as_git(&repo);
    assert_eq!(candidate.base, Some(repo.oid("HEAD")));
    let renamed: Vec<_> =
        candidate.files.iter().filter_map(|file| file.old_path.as_ref()).map(RepoPath::to_string).collect();
    assert_eq!(renamed, ["mended.txt", "moved.txt"]);
}

#[test]
fn staged_without_a_change_is_empty() {
    let repo = TestRepo::with(&[("a/b/c", "x\n")]);
    assert!(staged_as_git(&repo).files.is_empty());
}

#[test]
fn staged_in_a_repository_without_commits() {
    let repo = TestRepo::new();
    repo.write("a/b", "x\n");
    repo.stage_all();
    let opened = repo.open();
    let head = opened.head().unwrap();
    assert_eq!((head.commit, head.branch.as_deref(), head.detached), (None, Some("main"), false));
    let candidate = staged(&opened).unwrap();
    assert_eq!((candidate.base, candidate.files.len()), (None, 1));
    assert_eq!(candidate.tree.to_string(), repo.git(&["write-tree"]));
}

#[test]
fn staged_paths_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let repo = TestRepo::with(&[("a", "a\n")]);
    let path = b"caf\xe9/\xff.txt";
    repo.write(std::ffi::OsStr::from_bytes(path), "x\n");
    repo.stage_all();
    let candidate = staged(&repo.open()).unwrap();
    assert_eq!(candidate.files[0].path.as_bytes(), path);
    assert_eq!(candidate.tree.to_string(), repo.git(&["write-tree"]));
    let entry = candidate.objects.entry(candidate.tree, &RepoPath::new(path.as_slice())).unwrap();
    assert_eq!(entry.unwrap().oid, candidate.files[0].after.unwrap().oid);
}

#[test]
fn staged_leaves_out_what_is_only_announced() {
    let repo = TestRepo::with(&[("a", "a\n"), ("dir/b", "b\n")]);
    repo.write("dir/new", "new\n");
    repo.git(&["add", "--intent-to-add", "dir/new"]);
    repo.write("a", "b\n");
    repo.git(&["add", "a"]);
    let candidate = staged_as_git(&repo);
    assert_eq!(candidate.files.len(), 1);
    assert_eq!(candidate.notes[0].code, "intent-to-add");
    assert!(candidate.notes[0].text.ends_with("dir/new"));
}

#[test]
fn staged_conflict_names_the_files() {
    let repo = TestRepo::with(&[("dir/a", "a\n"), ("b", "b\n")]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("dir/a", "theirs\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("dir/a", "ours\n");
    repo.commit("ours");
    let merge =
        std::process::Command::new("git").current_dir(repo.path()).args(["merge", "-q", "other"]).output().unwrap();
    assert!(!merge.status.success());
    fails(staged(&repo.open()).map(|candidate| candidate.tree).unwrap_err(), FaultKind::Git, "unmerged files: dir/a");
}

#[test]
fn staged_submodule() {
    let inner = TestRepo::with(&[("x", "x\n")]);
    let repo = TestRepo::with(&[("a", "a\n")]);
    repo.git(&["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "vendor/inner"]);
    let candidate = staged_as_git(&repo);
    let submodule = candidate.files.iter().find(|file| file.path == "vendor/inner".into()).unwrap().after.unwrap();
    assert_eq!((submodule.mode, submodule.oid, submodule.size), (FileMode::Submodule, inner.oid("HEAD"), 0));
    assert_eq!(
        candidate.objects.entry(candidate.tree, &"vendor/inner".into()).unwrap(),
        Some(TreeEntry { oid: inner.oid("HEAD"), mode: FileMode::Submodule })
    );
    // And one that turns into a file.
    repo.commit("submodule");
    repo.git(&["rm", "-q", "-r", "--cached", "vendor/inner"]);
    let blob = repo.git_with(&["hash-object", "-w", "--stdin"], b"flat\n");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},vendor/inner")]);
    staged_as_git(&repo);
}

#[test]
fn staged_in_a_linked_worktree_and_detached() {
    let repo = TestRepo::with(&[("a", "a\n"), ("b/c", "c\n")]);
    let linked = repo.path().parent().unwrap().join("linked");
    repo.git(&["worktree", "add", "-q", "--detach", linked.to_str().unwrap()]);
    fs::write(linked.join("b/c"), "changed\n").unwrap();
    git_in(&linked, &["add", "b/c"], b"");
    let opened = Repo::open(&linked.join("b")).unwrap();
    assert_eq!(opened.workdir().unwrap(), linked);
    assert_eq!(opened.common_dir(), repo.path().join(".git"));
    assert!(opened.head().unwrap().detached);
    let candidate = staged(&opened).unwrap();
    assert_eq!(candidate.tree.to_string(), git_in(&linked, &["write-tree"], b""));
    assert!(staged(&repo.open()).unwrap().files.is_empty());
}

#[test]
fn staged_with_every_form_of_index() {
    for (form, setup) in [
        ("version 4", vec!["update-index", "--index-version", "4"]),
        ("split", vec!["update-index", "--split-index"]),
        ("untracked cache", vec!["update-index", "--untracked-cache"]),
        ("sparse", vec!["sparse-checkout", "set", "--sparse-index", "src"]),
        ("no cached trees", vec!["read-tree", "HEAD"]),
    ] {
        let repo = TestRepo::with(&[("src/a", "a\n"), ("docs/deep/b", "b\n"), ("docs/c", "c\n"), ("top", "t\n")]);
        repo.write("docs/deep/b", "b2\n");
        repo.commit("docs");
        repo.git(&setup);
        repo.write("src/a", "changed\n");
        repo.git(&["add", "src/a"]);
        assert_eq!(staged_as_git(&repo).files.len(), 1, "{form}");
        repo.git(&["reset", "-q", "--soft", "HEAD~1"]);
        assert_eq!(staged_as_git(&repo).files.len(), 2, "{form}, a commit back");
    }
}

#[test]
fn bare_has_no_index_but_ranges() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    repo.write("a", "b\n");
    repo.commit("second");
    let bare = TestRepo::bare();
    bare.git(&["fetch", "-q", repo.path().to_str().unwrap(), "main:main"]);
    let opened = bare.open();
    assert!(opened.is_bare());
    fails(staged(&opened).map(drop).unwrap_err(), FaultKind::Git, "bare");
    assert_eq!(raw(&range(&opened, "main~1..main").unwrap()), git_raw(&bare, &["main~1", "main"]));
}

#[test]
fn ranges_as_git_compares_them() {
    let repo = TestRepo::with(&[("a", "a\n"), ("b/c", "c\n")]);
    let root = repo.oid("HEAD");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("side", "s\n");
    repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    fs::rename(repo.path().join("a"), repo.path().join("moved")).unwrap();
    repo.commit("main");
    let opened = repo.open();
    for (spec, git) in [
        ("side..main", ["side", "main"]),
        ("side...main", ["side...main", "--"]),
        ("side..", ["side", "HEAD"]),
        ("..side", ["HEAD", "side"]),
        ("main", ["main~1", "main"]),
    ] {
        let candidate = range(&opened, spec).unwrap();
        assert_eq!(raw(&candidate), git_raw(&repo, &git), "{spec}");
    }
    let first = range(&opened, &root.to_string()).unwrap();
    assert_eq!((first.base, first.files.len()), (None, 2));
    fails(range(&opened, "nowhere..main").map(drop).unwrap_err(), FaultKind::Usage, "nowhere");
    fails(opened.resolve("main:moved").map(drop).unwrap_err(), FaultKind::Usage, "not a commit");
}

/// A commit that stands on a known one is not new where something newer that is known has it: a branch at its parent makes no difference.
#[test]
fn what_any_known_commit_reaches_is_not_new() {
    let repo = TestRepo::with(&[("a", "1")]);
    let commits: Vec<Oid> = (0..4)
        .map(|number| {
            repo.write("a", number.to_string());
            repo.commit("next")
        })
        .collect();
    let new = |tip: usize, known: &[usize]| -> Vec<Oid> {
        let known: Vec<Oid> = known.iter().map(|at| commits[*at]).collect();
        new_commits(&repo.open(), commits[tip], &known).unwrap()
    };
    assert_eq!(new(1, &[0, 3]), []);
    assert_eq!(new(1, &[0]), [commits[1]]);
    assert_eq!(new(3, &[0, 2]), [commits[3]]);
    assert_eq!(new(3, &[0, 1]), [commits[2], commits[3]]);
}

#[test]
fn shallow_clones_say_what_is_missing() {
    let origin = TestRepo::with(&[("a", "a\n")]);
    origin.write("a", "b\n");
    origin.commit("second");
    let url = format!("file://{}", origin.path().display());
    let clone = TestRepo::new();
    clone.git(&["fetch", "-q", "--depth=1", &url, "main"]);
    clone.git(&["checkout", "-q", "FETCH_HEAD"]);
    clone.write("a", "c\n");
    clone.stage_all();
    staged_as_git(&clone);
    let error =
        fails(range(&clone.open(), "HEAD").map(drop).unwrap_err(), FaultKind::Git, "missing from this shallow clone");
    assert!(hint(&error).contains("--deepen"));
    for spec in ["HEAD~1..HEAD", "HEAD^", &format!("{}..HEAD", origin.oid("main~1"))] {
        let error = fails(range(&clone.open(), spec).map(drop).unwrap_err(), FaultKind::Git, "no such revision");
        assert!(hint(&error).contains("--deepen") && hint(&error).contains("--unshallow"), "{spec}");
    }
}

#[test]
fn repositories_that_cannot_be_opened() {
    let temp = tempfile::tempdir().unwrap();
    let open = |dir: &Path| Repo::open(dir).map(drop).unwrap_err();
    let error = fails(open(temp.path()), FaultKind::Git, "no git repository at");
    assert!(hint(&error).contains("git init"));
    fails(open(&temp.path().join("nowhere")), FaultKind::Git, "does not exist");
    let sha256 = TestRepo::init(&["--object-format=sha256"]);
    fails(open(sha256.path()), FaultKind::Git, "SHA-256");
    if needs(Tool::Git { minor: 45 }).is_some() {
        let reftable = TestRepo::init(&["--ref-format=reftable"]);
        fails(open(reftable.path()), FaultKind::Git, "reftable");
    }
    let partial = TestRepo::new();
    partial.git(&["config", "core.repositoryFormatVersion", "1"]);
    partial.git(&["config", "extensions.partialClone", "origin"]);
    fails(open(partial.path()), FaultKind::Git, "partial clone");
    let foreign = TestRepo::new();
    // Only root can give a file away.
    if std::os::unix::fs::chown(foreign.path(), Some(12345), None).is_ok() {
        let error = fails(open(foreign.path()), FaultKind::Git, "belongs to another user");
        let command = format!("git config --global --add safe.directory '{}'", foreign.path().display());
        assert!(hint(&error).ends_with(&command), "{}", hint(&error));
    }
    let broken = TestRepo::new();
    broken.write(".git/config", "[core\n");
    fails(open(broken.path()), FaultKind::Git, "cannot open");
}

#[test]
fn state_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let repo = TestRepo::with(&[("a", "a\n")]);
    fs::create_dir(repo.path().join(".git/guardhost")).unwrap();
    let dir = repo.open().state_dir().unwrap();
    assert_eq!(dir, repo.path().join(".git/guardhost"));
    assert_eq!(fs::metadata(dir).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn the_store_writes_nothing_until_it_is_told_to() {
    let repo = TestRepo::with(&[("a/b", "b\n"), ("c", "c\n")]);
    let objects = || repo.git(&["count-objects", "-v"]);
    let before = objects();
    let opened = repo.open();
    let (store, head) = (opened.store(), opened.head().unwrap());
    let oid = store.put_blob(b"new\n").unwrap();
    let entry = TreeEntry { oid, mode: FileMode::Executable };
    let tree = store
        .edit_tree(head.tree, &[("a/new".into(), Some(entry)), ("x/y/z".into(), Some(entry)), ("c".into(), None)])
        .unwrap();
    assert_eq!((&*store.blob(oid).unwrap(), store.blob_size(oid).unwrap()), (&b"new\n"[..], 4));
    assert_eq!(objects(), before);
    assert!(store.is_dir(tree, &"x/y".into()).unwrap() && store.is_dir(tree, &"".into()).unwrap());
    assert!(!store.is_dir(tree, &"a/new".into()).unwrap() && !store.is_dir(tree, &"c".into()).unwrap());
    let commit = opened.commit(tree, &[head.commit.unwrap()], "kept").unwrap();
    repo.git(&["fsck", "--strict", "--no-dangling", &commit.to_string()]);
    assert_eq!(repo.git(&["ls-tree", "-r", "--name-only", &commit.to_string()]), "a/b\na/new\nx/y/z");
}

#[test]
fn trees_refuse_what_cannot_stand() {
    let repo = TestRepo::with(&[("file", "f\n"), ("dir/inside", "i\n")]);
    let opened = repo.open();
    let (store, tree) = (opened.store(), opened.head().unwrap().tree);
    let blob = TreeEntry { oid: store.put_blob(b"x").unwrap(), mode: FileMode::File };
    let edit = |edits: &[(&str, Option<TreeEntry>)]| {
        let edits: Vec<_> = edits.iter().map(|(path, entry)| (RepoPath::from(*path), *entry)).collect();
        store.edit_tree(tree, &edits)
    };
    for path in ["file/below", "dir", ".git/config", "a/../b", "/absolute", "a//b", "", "nul\0", "dir/", ".GIT/hooks/x"]
    {
        assert!(edit(&[(path, Some(blob))]).is_err(), "{path:?}");
    }
    assert!(edit(&[("dir", None)]).is_err());
    // One may take the other's place in the same edit.
    let swapped =
        edit(&[("file", None), ("file/below", Some(blob)), ("dir/inside", None), ("dir", Some(blob))]).unwrap();
    let names: Vec<_> = files_of(&*store, swapped).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(names, ["dir", "file/below"]);
    // The later edit of a path wins, and what was never there can be removed.
    assert_eq!(edit(&[("new", Some(blob)), ("new", None), ("no/such/file", None), ("file/x", None)]).unwrap(), tree);
    let nothing = edit(&[("file", None), ("dir/inside", None)]).unwrap();
    assert_eq!(nothing.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

proptest! {
    // Each case runs git a dozen times.
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn staged_equals_git_on_any_history(steps in mutations()) {
        let repo = TestRepo::with(&[("a/b", "first\n"), ("b/c/d", "second\n"), ("z", "third\n")]);
        for step in &steps {
            mutate(&repo, step);
        }
        staged_as_git(&repo);
        repo.stage_all();
        staged_as_git(&repo);
    }
}
