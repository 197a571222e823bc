//! Short names of commits.

use guardhost_core::error::FaultKind;
use guardhost_git::range;

use super::fails;
use crate::support::repo::TestRepo;

/// Git takes the tag: whoever may push one chooses what a change is compared with, and by whose rules it is judged.
#[test]
fn a_name_that_a_tag_takes_from_a_branch_stands_for_neither() {
    let repo = TestRepo::with(&[("a", "a\n")]);
    repo.git(&["branch", "side"]);
    repo.write("a", "b\n");
    repo.commit("main");
    repo.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    for tag in ["side", "origin/main"] {
        let other = if tag == "side" { "main" } else { "refs/heads/side" };
        repo.git(&["tag", tag, other]);
        for spec in [
            format!("{tag}..HEAD"),
            format!("{tag}~1...HEAD"),
            format!("HEAD..{tag}@{{0}}"),
            format!("..{tag}^{{tree}}"),
            tag.to_owned(),
        ] {
            fails(
                range(&repo.open(), &spec).map(drop).unwrap_err(),
                FaultKind::Usage,
                "means different commits: refs/tags/",
            );
        }
    }
    for spec in ["refs/heads/side..HEAD", "refs/remotes/origin/main", &format!("{}..main", repo.oid("refs/heads/side"))]
    {
        range(&repo.open(), spec).unwrap();
    }
    // One commit is one commit, by whatever name.
    repo.git(&["tag", "main", "refs/heads/main"]);
    range(&repo.open(), "refs/heads/side..main").unwrap();
}
