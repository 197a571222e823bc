//! What names a repository on every machine.

use guardhost_git::{KnownRoots, Repo};

use crate::support::repo::{TestRepo, git_in};

#[test]
fn roots_are_found_whole_or_from_what_is_known() {
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    let first = repo.open().roots(None).expect("a walk").expect("a root");
    assert_eq!(first, KnownRoots { head: repo.oid("HEAD"), roots: vec![repo.oid("HEAD")] });
    repo.write("b.txt", "b\n");
    repo.stage_all();
    repo.git(&["commit", "-q", "-m", "b"]);
    let main = repo.git(&["branch", "--show-current"]).trim().to_owned();
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.git(&["commit", "-q", "-m", "another root"]);
    let other = repo.oid("HEAD");
    // What was known stands on another history: it is of no use.
    assert_eq!(repo.open().roots(Some(&first)).expect("a walk").expect("a root").roots, [other]);
    repo.git(&["checkout", "-q", &main]);
    repo.git(&["merge", "-q", "--allow-unrelated-histories", "-m", "both", "other"]);
    let mut both = vec![first.roots[0], other];
    both.sort();
    for known in [None, Some(&first)] {
        let found = repo.open().roots(known).expect("a walk").expect("roots");
        assert_eq!(found, KnownRoots { head: repo.oid("HEAD"), roots: both.clone() });
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("file://{}", repo.path().display());
    git_in(folder.path(), &["clone", "-q", "--depth", "1", &url, "shallow"], b"");
    let shallow = Repo::open(&folder.path().join("shallow")).expect("a repository");
    assert_eq!(shallow.roots(None).expect("no error"), None);
    assert_eq!(TestRepo::new().open().roots(None).expect("no error"), None);
}

#[test]
fn the_remote_is_origin_or_the_only_one() {
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    let remote = || repo.open().remote_url().expect("no error");
    assert_eq!(remote(), None);
    repo.git(&["remote", "add", "fork", "https://example.com/fork"]);
    assert_eq!(remote().as_deref(), Some("https://example.com/fork"));
    repo.git(&["remote", "add", "second", "https://example.com/second"]);
    assert_eq!(remote(), None, "neither is better than the other");
    repo.git(&["remote", "add", "origin", "https://example.com/origin"]);
    assert_eq!(remote().as_deref(), Some("https://example.com/origin"));
}
