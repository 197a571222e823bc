//! Patches that models have really sent, as cases in `tests/regressions`: `before` is the repository, `bad` and `good` are what a
//! patch writes over it, and `expect` names the guards that must reject the bad one: a guard and its rule a line. The good one passes.
//! `hints` names the files that the task was about, a path a line; a case with `guards.toml` runs the repository's tests.

use std::collections::BTreeSet;
use std::path::Path;

use guard_cases::Case;
use serde_json::Value;

use crate::support::cases;
use crate::support::cli::host_with;
use crate::support::repo::TestRepo;
use crate::support::toolchain::path_with;
use crate::support::tools::{Tool, needs};

/// Where the patches of a case are judged.
struct Setup<'a> {
    case: &'a Case,
    repo: &'a TestRepo,
    /// More arguments of the check.
    hints: &'a [&'a str],
    /// With pytest on it, for a case that runs tests.
    path: &'a str,
}

#[test]
fn bad_patches_are_rejected_and_good_ones_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let cases = guard_cases::find(&root, &["before", "bad", "good"]).expect("cases");
    assert!(!cases.is_empty(), "there is no case");
    for location in cases {
        let (name, case) = (location.name, Case::read(&location.path).expect("a case"));
        let text = |file: &str| case.text(file).expect("text").unwrap_or_default();
        let runs_tests = case.file("before/guards.toml").is_some();
        let path = match runs_tests {
            true => needs(Tool::Pytest).map(|environment| path_with(&environment)),
            false => std::env::var("PATH").ok(),
        };
        let Some(path) = path else { continue };
        let repo = TestRepo::new();
        cases::write(&case, "before", &repo);
        repo.commit("base");
        let expected: BTreeSet<String> = text("expect").lines().map(str::to_owned).collect();
        assert!(!expected.is_empty(), "{name} expects nothing");

        let hints: Vec<&str> = text("hints").lines().flat_map(|hint| ["--file-hint", hint]).collect();

        let setup = Setup { case: &case, repo: &repo, hints: &hints, path: &path };
        let bad = setup.errors("bad", 1);
        let missing: Vec<_> = expected.difference(&bad).collect();
        assert!(missing.is_empty(), "{name}: the bad patch lacks {missing:?}, and has {bad:?}");

        repo.git(&["reset", "-q", "--hard"]);
        setup.errors("good", 0);
    }
}

impl Setup<'_> {
    /// Errors of a patch in the index, `guard rule` each.
    fn errors(&self, patch: &str, code: i32) -> BTreeSet<String> {
        let Setup { case, repo, hints, path } = self;
        cases::write(case, patch, repo);
        repo.git(&["add", "-A"]);
        let args = [&["check", "--staged", "--format", "json"], *hints].concat();
        let ran = host_with(repo.path(), &args, b"", &[("PATH", path)]);
        assert_eq!(ran.code, code, "{}: {ran:?}", case.place(patch, 1));
        let json = ran.json();
        let guards = json["guards"].as_array().expect("guards");
        let of = |value: &Value| value.as_str().expect("text").to_owned();
        let errors = guards.iter().flat_map(|guard| {
            let findings = guard["findings"].as_array().expect("findings").iter();
            findings.filter(|finding| finding["severity"] == "error").map(move |finding| (guard, finding))
        });
        errors.map(|(guard, finding)| format!("{} {}", of(&guard["id"]), of(&finding["rule"]))).collect()
    }
}
