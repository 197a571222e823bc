//! The files with tests that can be run by themselves.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::files::{Kind, kind_of, runs_as_test};
use guard_sdk::{Change, Side, TestOutcome, TestReport};

use crate::places::{below, folder};

/// Files with tests that are looked for where the reports name none.
const MOST: u32 = 5_000;

pub struct TestFile {
    pub path: String,
    /// How many tests pass in it, as far as that is known, and at least one.
    pub tests: usize,
    /// It stands for all files with tests of its folder.
    pub is_package: bool,
}

pub fn with_tests(change: &Change, side: Side, reports: &[TestReport]) -> Vec<TestFile> {
    let (mut single, mut packages) = (BTreeMap::new(), BTreeSet::new());
    for report in reports.iter().filter(|report| report.not_run.is_none()) {
        match report.runner.as_str() {
            "go-test" => packages.extend(packages_of_go(change, side, report)),
            "cargo-test" => packages.extend(packages_of_cargo(change, side, report)),
            _ => {
                let passed = report.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
                for path in passed.filter_map(|test| test.path.as_deref()).filter(|path| runs_alone(report, path)) {
                    *single.entry(path.to_owned()).or_default() += 1;
                }
            }
        }
    }
    // Reports of the base are asked of tests that the candidate runs.
    let gone: BTreeSet<String> = change.files().flat_map(|file| gone(&file, side)).collect();
    let single = single.into_iter().map(|(path, tests)| TestFile { path, tests, is_package: false });
    let packages = packages.into_iter().map(|path| TestFile { path, tests: 1, is_package: true });
    single.chain(packages).filter(|file| !gone.contains(&file.path)).collect()
}

/// Runners of the host's own take a file only if its name says that it holds tests, and run all tests otherwise.
fn runs_alone(report: &TestReport, path: &str) -> bool {
    match report.runner.as_str() {
        "pytest" | "jest" | "vitest" | "node-test" => runs_as_test(path),
        // A runner that the rules name gets the file as it is.
        _ => true,
    }
}

fn gone(file: &guard_sdk::File, side: Side) -> Option<String> {
    match side {
        Side::Before => (!file.before().exists()).then(|| file.path().to_owned()),
        Side::After if !file.after().exists() => Some(file.path().to_owned()),
        Side::After => file.old_path().filter(|_| file.status() == guard_sdk::Status::Renamed).map(str::to_owned),
    }
}

/// One file with tests of each package: Go runs whole packages.
fn packages_of_go(change: &Change, side: Side, report: &TestReport) -> Vec<String> {
    let files = change.repo(side).find(&["*_test.go"], MOST);
    let mut packages = BTreeMap::new();
    for path in files.into_iter().filter(|path| below(&report.project, path)) {
        packages.entry(folder(&path).to_owned()).or_insert(path);
    }
    packages.into_values().collect()
}

/// One file of each package of a workspace that has several, of those that the change touches: Cargo runs whole packages.
fn packages_of_cargo(change: &Change, side: Side, report: &TestReport) -> Vec<String> {
    let manifests = change.repo(side).find(&["Cargo.toml"], MOST);
    let mut packages = BTreeMap::new();
    for manifest in manifests.iter().filter(|path| below(&report.project, path)) {
        let package = folder(manifest);
        let touched = change.files().find(|file| {
            let is_rust = file.extension() == "rs" && kind_of(file.path()) != Kind::TestData;
            let holds = |other: &str| below(other, file.path()) && other.len() > package.len();
            is_rust && below(package, file.path()) && !manifests.iter().any(|other| holds(folder(other)))
        });
        let file = touched.map_or_else(|| format!("{package}/lib.rs"), |file| file.path().to_owned());
        packages.insert(package.to_owned(), file);
    }
    packages.into_values().collect()
}
