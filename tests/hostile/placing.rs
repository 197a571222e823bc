//! Work trees, names and indexes that would make placing a change lose something, through the real binary.

use crate::support::cli::{Ran, host, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const EDIT: &str = "--- a/t.txt\n+++ b/t.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";

fn apply(repo: &TestRepo, patch: &str) -> Ran {
    host_with(repo.path(), &["apply", "--no-guards", "--patch", "-"], patch.as_bytes(), &[])
}

/// Refused with these words, and nothing is changed.
#[track_caller]
fn refused(repo: &TestRepo, patch: &str, words: &str) {
    let before = (repo.snapshot(), repo.status());
    let ran = apply(repo, patch).expect(7);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains(words), "{ran:?}");
    assert!(before == (repo.snapshot(), repo.status()), "the repository has changed");
    assert!(!repo.path().join(".git/guardhost/place").exists());
}

#[test]
fn line_endings_and_ids_that_only_the_work_tree_has_are_not_overwritten() {
    let base = [("t.txt", "one\ntwo\nthree\n$Id$\n"), (".gitattributes", "*.txt ident\n")];
    let repo = TestRepo::with(&base);
    repo.write("t.txt", "one\ntwo\nthree\n$Id: my own words here $\n");
    assert_eq!(repo.status(), " M t.txt");
    refused(&repo, EDIT, "t.txt (changed in the work tree: line endings or `$Id$`");

    let repo = TestRepo::with(&[("t.txt", "one\ntwo\nthree\n")]);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("t.txt", "one\r\ntwo\nthree\r\n");
    refused(&repo, EDIT, "t.txt (changed in the work tree: line endings");

    let repo = TestRepo::with(&[("t.txt", "one\ntwo\nthree\n"), (".gitattributes", "*.txt text eol=lf\n")]);
    repo.write("t.txt", "one\r\ntwo\r\nthree\r\n");
    refused(&repo, EDIT, "t.txt (changed in the work tree: line endings");
}

/// What git would write anyway, or knows from the index as unchanged, is no change of the user's.
#[test]
fn line_endings_that_git_knows_are_converted() {
    for (attributes, before, after) in [
        ("*.txt text eol=crlf\n", "one\r\ntwo\r\nthree\r\n", "one\r\nTWO\r\nthree\r\n"),
        ("*.txt text eol=crlf\n", "one\ntwo\nthree\n", "one\r\nTWO\r\nthree\r\n"),
        ("*.txt text eol=lf\n", "one\r\ntwo\r\nthree\r\n", "one\nTWO\nthree\n"),
    ] {
        let repo = TestRepo::with(&[(".gitattributes", attributes)]);
        repo.write("t.txt", before);
        repo.commit("as the user wrote it");
        // Git reads a file that is as young as the index. This one is older.
        std::thread::sleep(std::time::Duration::from_millis(20));
        repo.write("later", "x\n");
        repo.commit("later");
        let _ = apply(&repo, EDIT).expect(0);
        assert_eq!(String::from_utf8(repo.read("t.txt")).unwrap(), after, "{attributes} {before:?}");
    }
}

#[test]
fn attributes_that_the_work_tree_lacks_are_read_from_the_index() {
    for delete in [true, false] {
        let repo = TestRepo::with(&[(".gitattributes", "*.txt text eol=crlf\n"), ("t.txt", "one\r\ntwo\r\nthree\r\n")]);
        match delete {
            true => repo.remove(".gitattributes"),
            false => drop(repo.git(&["sparse-checkout", "set", "--no-cone", "--no-sparse-index", "t.txt"])),
        }
        assert!(!repo.path().join(".gitattributes").exists());
        let _ = apply(&repo, EDIT).expect(0);
        assert_eq!(repo.read("t.txt"), b"one\r\nTWO\r\nthree\r\n");
    }
}

#[test]
fn what_the_user_told_git_of_a_file_stays() {
    for (option, letter) in [("--assume-unchanged", 'h'), ("--skip-worktree", 'S')] {
        let repo = TestRepo::with(&[("t.txt", "one\ntwo\nthree\n")]);
        repo.git(&["update-index", option, "t.txt"]);
        let _ = apply(&repo, EDIT).expect(0);
        assert_eq!(repo.git(&["ls-files", "-v", "t.txt"]), format!("{letter} t.txt"));
        assert_eq!(repo.git(&["show", ":t.txt"]), "one\nTWO\nthree");
        assert_eq!(repo.read("t.txt"), b"one\nTWO\nthree\n");
    }
}

#[test]
fn names_that_collide_hide_or_look_like_options_are_refused() {
    let repo = TestRepo::with(&[("t.txt", "one\ntwo\nthree\n"), ("dir/file", "x\n")]);
    let new = |name: &str| {
        format!("diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n")
    };
    for ignores_case in ["false", "true"] {
        repo.git(&["config", "core.ignorecase", ignores_case]);
        refused(&repo, &new("T.txt"), "differs from it only in letter case");
        refused(&repo, &new("DIR/other"), "differs from it only in letter case");
    }
    repo.git(&["config", "core.ignorecase", "false"]);
    // Quoted as git quotes it, since blanks without width are taken out of headers.
    for hidden in ["a\\342\\200\\213b.txt", "a\\363\\240\\201\\241b.txt"] {
        let patch = format!("--- /dev/null\n+++ \"b/{hidden}\"\n@@ -0,0 +1 @@\n+x\n");
        refused(&repo, &patch, "characters that do not show");
    }
    let ran = apply(&repo, &new("-rf")).expect(0);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("for an option"), "{ran:?}");
}

#[test]
fn where_letter_case_does_not_matter_a_new_spelling_replaces_nothing() {
    if needs(Tool::CaseInsensitiveFiles).is_none() {
        return;
    }
    let repo = TestRepo::with(&[("t.txt", "one\ntwo\nthree\n")]);
    refused(&repo, "--- /dev/null\n+++ b/T.txt\n@@ -0,0 +1 @@\n+x\n", "differs from it only in letter case");
    let renamed = "diff --git a/t.txt b/T.txt\nsimilarity index 100%\nrename from t.txt\nrename to T.txt\n";
    let _ = apply(&repo, renamed).expect(0);
    assert_eq!(repo.git(&["ls-files"]), "T.txt");
    assert_eq!(repo.read("T.txt"), b"one\ntwo\nthree\n");
}

#[test]
fn an_index_that_is_missing_or_damaged_is_an_error() {
    let repo = TestRepo::with(&[("t.txt", "one\n"), ("sub/x.py", "x = 1\n")]);
    repo.write("x.py", "x = (((\n");
    repo.git(&["add", "x.py"]);
    let check = |dir: &str, index: Option<&str>| {
        let env: Vec<_> = index.map(|index| ("GIT_INDEX_FILE", index)).into_iter().collect();
        host_with(&repo.path().join(dir), &["check", "--staged"], b"", &env)
    };
    let _ = check("", None).expect(1);
    // As git reads it: from the root of the work tree, wherever the command runs.
    let _ = check("sub", Some(".git/index")).expect(1);
    let absolute = repo.path().join(".git/index");
    let _ = check("sub", Some(absolute.to_str().unwrap())).expect(1);
    let missing = check("", Some("nowhere")).expect(7);
    assert!(missing.stderr.contains("GIT_INDEX_FILE") && missing.stderr.contains("hint"), "{missing:?}");
    let whole = repo.read(".git/index");
    for damaged in [&b""[..], b"junk", &whole[..whole.len() / 2], &whole[..40], &[b"DIRX", &whole[4..]].concat()] {
        repo.write(".git/index", damaged);
        let ran = check("", None).expect(7);
        assert!(ran.stderr.contains("cannot read the index"), "{ran:?}");
        let ran = apply(&repo, "--- a/t.txt\n+++ b/t.txt\n@@ -1 +1 @@\n-one\n+two\n").expect(7);
        assert!(ran.stderr.contains("index"), "{ran:?}");
        assert_eq!(repo.read(".git/index"), damaged);
    }
    // Without any index git commits that every file is deleted; where there is no file, nothing.
    repo.remove(".git/index");
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]);
    assert_ne!(ran.code, 8, "{ran:?}");
    let fresh = TestRepo::new();
    let _ = host(fresh.path(), &["check", "--staged"]).expect(8);
    let _ = host_with(fresh.path(), &["check", "--staged"], b"", &[("GIT_INDEX_FILE", ".git/index")]).expect(8);
}
