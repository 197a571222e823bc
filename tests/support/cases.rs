//! The guards' own cases, as other tests use them.

use std::fs;
use std::path::Path;

use guard_cases::Case;

use super::repo::TestRepo;

/// Every case of every guard, with its name for messages, sorted.
pub fn all() -> Vec<(String, Case)> {
    let guards = Path::new(env!("CARGO_MANIFEST_DIR")).join("guards");
    let mut folders: Vec<_> = fs::read_dir(guards).unwrap().map(|entry| entry.unwrap().path().join("cases")).collect();
    folders.sort();
    let mut cases = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for location in guard_cases::find(folder, &["expect.json"]).unwrap() {
            let case = Case::read(&location.path).unwrap_or_else(|error| panic!("{}: {error}", location.name));
            cases.push((location.path.display().to_string(), case));
        }
    }
    assert!(cases.len() > 500, "only {} cases", cases.len());
    cases
}

/// Writes one side of a case into a work tree.
pub fn write(case: &Case, side: &str, repo: &TestRepo) {
    for (path, file) in case.below(side) {
        repo.write(path.to_str().expect("a path of a case"), &file.bytes);
    }
}
