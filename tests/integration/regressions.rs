//! Patches that models have really sent, as folders in `tests/regressions`: `before` is the repository, `bad` and `good` are what a
//! patch lays over it, and `expect` names who must reject the bad one, a guard and its rule a line. The good one passes.
//! `hints` names the files that the task was about, a path a line; a case with `guards.toml` runs the repository's tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::toolchain::pytest;
use crate::support::cli::host_with;
use crate::support::repo::TestRepo;

#[test]
fn bad_patches_are_rejected_and_good_ones_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut cases: Vec<_> = fs::read_dir(root).expect("cases").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    assert!(!cases.is_empty(), "there is no case");
    for case in cases {
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let runs_tests = case.join("before/guards.toml").exists();
        if runs_tests && pytest().is_none() {
            eprintln!("{name} is not tested without pytest");
            continue;
        }
        let repo = TestRepo::new();
        lay(&case.join("before"), &repo, "");
        repo.commit("base");
        let expected = fs::read_to_string(case.join("expect")).expect("an expectation");
        let expected: BTreeSet<String> = expected.lines().map(str::to_owned).collect();
        assert!(!expected.is_empty(), "{name} expects nothing");

        let hints = fs::read_to_string(case.join("hints")).unwrap_or_default();
        let hints: Vec<&str> = hints.lines().flat_map(|hint| ["--file-hint", hint]).collect();

        let bad = judged(&case.join("bad"), &repo, &hints, 1);
        let missing: Vec<_> = expected.difference(&bad).collect();
        assert!(missing.is_empty(), "{name}: the bad patch lacks {missing:?}, and has {bad:?}");

        repo.git(&["reset", "-q", "--hard"]);
        judged(&case.join("good"), &repo, &hints, 0);
    }
}

/// Errors of a patch in the index, `guard rule` each.
fn judged(patch: &Path, repo: &TestRepo, hints: &[&str], code: i32) -> BTreeSet<String> {
    lay(patch, repo, "");
    repo.git(&["add", "-A"]);
    let args = [&["check", "--staged", "--format", "json"], hints].concat();
    let path = std::env::var("PATH").expect("a path");
    let path = pytest().map_or(path.clone(), |venv| format!("{}/bin:{path}", venv.display()));
    let ran = host_with(repo.path(), &args, b"", &[("PATH", &path)]);
    assert_eq!(ran.code, code, "{}: {ran:?}", patch.display());
    let json = ran.json();
    let guards = json["guards"].as_array().expect("guards");
    let of = |value: &Value| value.as_str().expect("text").to_owned();
    let errors = guards.iter().flat_map(|guard| {
        let findings = guard["findings"].as_array().expect("findings").iter();
        findings.filter(|finding| finding["severity"] == "error").map(move |finding| (guard, finding))
    });
    errors.map(|(guard, finding)| format!("{} {}", of(&guard["id"]), of(&finding["rule"]))).collect()
}

fn lay(folder: &Path, repo: &TestRepo, prefix: &str) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let inside = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        match path.is_dir() {
            true => lay(&path, repo, &format!("{inside}/")),
            false => repo.write(&inside, fs::read(&path).expect("a file")),
        }
    }
}
