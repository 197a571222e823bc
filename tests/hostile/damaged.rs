//! Git's own files, damaged as after a loss of power, or of a kind that libgit2 does not read: the error says what it is, and what helps.

use crate::support::cli::host;
use crate::support::repo::TestRepo;

#[test]
fn damaged_files_of_git_are_named_with_what_helps() {
    let object = |repo: &TestRepo| {
        let oid = repo.oid("HEAD:a.py").to_string();
        format!(".git/objects/{}/{}", &oid[..2], &oid[2..])
    };
    type Damage = fn(&TestRepo, &str);
    let empty: Damage = |repo, path| {
        repo.remove(path);
        repo.write(path, "");
    };
    let cut: Damage = |repo, path| {
        let bytes = repo.read(path);
        repo.write(path, &bytes[..40]);
    };
    for (path, damage, help) in [
        (".git/index", cut, "git reset"),
        (".git/index", empty, "git reset"),
        (".git/refs/heads/main", empty, "git reflog"),
        (".git/HEAD", empty, "git fsck"),
        ("object", empty, "git fsck"),
    ] {
        let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
        repo.write("a.py", "x = 2\n");
        let path = if path == "object" { object(&repo) } else { path.to_owned() };
        damage(&repo, &path);
        let ran = host(repo.path(), &["check", "--worktree"]).expect(7);
        assert!(ran.stderr.contains(help), "{path}: {ran:?}");
        assert_eq!(repo.read("a.py"), b"x = 2\n");
    }
}

/// A hook that could judge nothing is not installed, and the reason is that of every other command.
#[test]
fn hooks_are_not_installed_where_nothing_can_be_judged() {
    for (args, words) in [(&["--object-format=sha256"][..], "SHA-256"), (&["--ref-format=reftable"], "reftable")] {
        let repo = TestRepo::init(args);
        let ran = host(repo.path(), &["install", "git"]).expect(7);
        assert!(ran.stderr.contains(words), "{ran:?}");
        assert!(!repo.path().join(".git/hooks/reference-transaction").exists());
    }
    let folder = tempfile::tempdir().unwrap();
    let ran = host(folder.path(), &["install", "git"]).expect(7);
    assert!(ran.stderr.contains("no git repository at"), "{ran:?}");
    host(folder.path(), &["install", "--status"]).expect(0);
}
