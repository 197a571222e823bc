//! Go: a test is about the files of its own folder; about the one of its own name, if there is one.

use super::super::tree_files::TreeFiles;
use super::test_path::is_test;
use guard_files::relative::folder;

pub fn sources(path: &str, files: &TreeFiles) -> Vec<String> {
    let named = path.replace("_test.go", ".go");
    if named != path && files.has(&named) {
        return vec![named];
    }
    let here = folder(path);
    let beside = files.below(here).filter(|other| folder(other) == here && other.ends_with(".go") && !is_test(other));
    beside.map(str::to_owned).collect()
}
