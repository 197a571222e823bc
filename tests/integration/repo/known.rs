//! Which commits are new beside those that are known.

use guardhost_core::change::Oid;
use guardhost_git::new_commits;

use crate::support::repo::TestRepo;

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
