//! `host guard run` on a repository.

use super::Home;
use crate::support::cli::host;
use crate::support::guest::{Found, Guest, REJECT, verdict};
use crate::support::repo::TestRepo;

#[test]
fn a_range_commit_by_commit_and_as_one() {
    let repo = TestRepo::with(&[("a.md", "one\n")]);
    repo.write("a.md", "one\ntwo\n");
    let second = repo.commit("second");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("b.md", "side\n");
    repo.commit("on the side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.md", "one\ntwo\nthree\n");
    repo.commit("third");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merged", "side"]);

    let found = Found::at("b.md", 1);
    let home = Home::with_guest(&Guest::answering(verdict(REJECT, &[found])));
    let guard = home.path().to_str().unwrap();
    let run =
        |more: &[&str]| host(repo.path(), &[&["guard", "run", guard, "--format", "json", "--range"], more].concat());

    // What it points at is there from the merge on; before it, naming it is the guard's error.
    let ran = run(&["HEAD~3..HEAD"]).expect(1).json();
    let changes = ran["changes"].as_array().unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|change| (change["subject"].as_str().unwrap(), change["guard"]["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("second", "error"), ("third", "error"), ("merged", "reject")]);
    assert_eq!(changes[0]["commit"], second.to_string());
    assert_eq!((&ran["rejected"], &ran["errors"]), (&1.into(), &2.into()));

    let ran = run(&["HEAD~3..HEAD", "--as-one"]).expect(1).json();
    assert_eq!(ran["changes"].as_array().unwrap().len(), 1);
    run(&["HEAD~2"]).expect(5);
    run(&["HEAD..HEAD"]).expect(8);
    run(&["nowhere..HEAD"]).expect(2);
}
