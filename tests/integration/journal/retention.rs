//! What goes with the record of an old run, and what stays.

use std::collections::BTreeSet;

use crate::support::cli::host_with;
use crate::support::repo::TestRepo;

/// A run is recorded for each tree. The user keeps two.
fn audit(repo: &TestRepo, settings: &tempfile::TempDir, value: u32) {
    repo.write("a.py", format!("x = {value}\n"));
    repo.commit("another value");
    let folder = settings.path().display().to_string();
    host_with(repo.path(), &["audit"], b"", &[("XDG_CONFIG_HOME", folder.as_str())]).expect(0);
}

fn runs(repo: &TestRepo) -> BTreeSet<String> {
    let folders = std::fs::read_dir(repo.path().join(".git/guardhost/runs")).unwrap();
    folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect()
}

fn rejected(repo: &TestRepo) -> String {
    repo.git(&["for-each-ref", "--format=%(refname)", "refs/guardhost/rejected"])
}

#[test]
fn refs_of_rejected_attempts_go_with_their_runs() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let settings = tempfile::tempdir().unwrap();
    std::fs::create_dir(settings.path().join("guardhost")).unwrap();
    std::fs::write(settings.path().join("guardhost/config.toml"), "[records]\nkeep_runs = 2\nkeep_days = 7\n").unwrap();
    audit(&repo, &settings, 2);
    let first = runs(&repo).pop_first().unwrap();
    audit(&repo, &settings, 3);
    let second = runs(&repo).into_iter().find(|run| *run != first).unwrap();
    for (run, round) in [(&first, 1), (&first, 2), (&second, 1), (&"gone-long-ago".to_owned(), 1)] {
        repo.git(&["update-ref", &format!("refs/guardhost/rejected/{run}/{round}"), "HEAD"]);
    }
    audit(&repo, &settings, 4);
    assert_eq!(rejected(&repo).lines().count(), 3, "{}", rejected(&repo));
    assert!(!rejected(&repo).contains("gone-long-ago"), "its record is gone already");
    audit(&repo, &settings, 5);
    assert!(!runs(&repo).contains(&first), "{:?}", runs(&repo));
    assert_eq!(rejected(&repo).trim(), format!("refs/guardhost/rejected/{second}/1"));
}

#[test]
fn branches_of_runs_hold_no_run() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let head = repo.open().head().unwrap().commit.unwrap();
    repo.git(&["branch", "guardhost/run-1"]);
    assert!(repo.open().is_on_branch(head, "guardhost/").unwrap(), "it is on the main branch, too");
    repo.write("a.py", "x = 2\n");
    repo.git(&["switch", "-q", "guardhost/run-1"]);
    repo.commit("of the run");
    let of_run = repo.open().head().unwrap().commit.unwrap();
    assert!(!repo.open().is_on_branch(of_run, "guardhost/").unwrap());
    repo.git(&["branch", "topic"]);
    assert!(repo.open().is_on_branch(of_run, "guardhost/").unwrap());
}

/// It also works where nothing may be written.
#[test]
fn to_look_at_runs_writes_nothing() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    host_with(repo.path(), &["log"], b"", &[]).expect(0);
    assert!(!repo.path().join(".git/guardhost").exists());
}
