//! Replies as models write them, one folder a case: `reply`, `hints` (the paths of the task, if any), and what is found.

use std::path::Path;

use host::change::RepoPath;

use crate::support::text::{read, show};

#[test]
fn replies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replies");
    let mut cases: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 60);
    for case in cases {
        let hints = std::fs::read_to_string(case.join("hints")).unwrap_or_default();
        let hints: Vec<RepoPath> = hints.lines().map(RepoPath::from).collect();
        let found = show(&read(std::fs::read(case.join("reply")).unwrap(), &hints));
        insta::with_settings!({ snapshot_path => &case, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("found", found);
        });
    }
}
