//! Whether there are tests, and what runs them.

use guard_sdk::analysis::{Measurement, Point, Tree};

use crate::languages;
use crate::material;
use crate::practice::{Practice, Words};
use crate::workflows::{TESTS, Workflows};

/// Settings of test runners that are read: one for each package of a workspace.
const MOST_SETTINGS: u32 = 40;

pub fn measure(tree: &Tree) -> Measurement {
    let languages = languages::main(tree);
    if languages.is_empty() {
        return Measurement::NotMeasured(languages::NONE.to_owned());
    }
    let mut points = Vec::new();
    for (language, possible) in languages.iter().zip(languages::shares(600, languages.len())) {
        let name = language.name;
        points.push(match test(tree, language) {
            Some(Place { path, line: Some(line) }) => {
                Point::earned("tests-present", possible, format!("{name} has tests")).at(path).line(line)
            }
            Some(Place { path, line: None }) => {
                Point::earned("tests-present", possible, format!("{name} has tests")).at(path)
            }
            None => {
                let help = format!("Write tests of the {name} code where its test runner looks for them.");
                Point::missed("tests-present", possible, format!("no test of {name} was found"), help)
            }
        });
    }
    for (language, possible) in languages.iter().zip(languages::shares(150, languages.len())) {
        let name = language.name;
        points.push(match runner(tree, language) {
            Runner::Configured(path) => {
                Point::earned("test-runner", possible, format!("the test runner of {name} is configured")).at(path)
            }
            Runner::BuiltIn => Point::earned("test-runner", possible, format!("the tools of {name} run tests")),
            Runner::None => {
                let help = format!("Configure a test runner for {name}, so that one command runs every test.");
                Point::missed("test-runner", possible, format!("no test runner is configured for {name}"), help)
            }
        });
    }
    points.push(match coverage(tree) {
        Some(path) => Point::earned("coverage-configured", 100, "coverage is configured").at(path),
        None => {
            let help = "Configure a tool for coverage (coverage.py, c8, cargo llvm-cov, a codecov.yml).";
            Point::missed("coverage-configured", 100, "no tool for coverage is configured", help)
        }
    });
    let workflows = Workflows::new(tree);
    points.push(match workflows.naming(&TESTS) {
        Some(place) => place.earns("tests-in-ci", 150, "CI runs the tests"),
        None => Point::missed("tests-in-ci", 150, "CI runs no tests, as far as its words tell", "Run the tests in CI."),
    });
    Measurement::Measured(points)
}

struct Place {
    path: String,
    line: Option<u32>,
}

/// A file of tests of the language, or a test beside the code.
fn test(tree: &Tree, language: &Practice) -> Option<Place> {
    for globs in language.tests {
        if let Some(path) = material::first(tree, globs) {
            return Some(Place { path, line: None });
        }
    }
    if language.test_marks.is_empty() {
        return None;
    }
    let hits = tree.search(language.test_marks, language.globs, 1);
    hits.into_iter().next().map(|hit| Place { path: hit.path, line: Some(hit.line) })
}

enum Runner {
    Configured(String),
    BuiltIn,
    None,
}

fn runner(tree: &Tree, language: &Practice) -> Runner {
    let Some(known) = &language.runner else { return Runner::BuiltIn };
    let by_glob = || if known.globs.is_empty() { None } else { tree.find(known.globs, 1).into_iter().next() };
    let by_words = || naming(tree, known.words).map(str::to_owned);
    let by_script = || known.scripts.then(|| script(tree)).flatten();
    let found = tree.first(known.paths).map(str::to_owned).or_else(by_glob).or_else(by_words).or_else(by_script);
    found.map_or(Runner::None, Runner::Configured)
}

/// The first of the files that has one of its words.
fn naming(tree: &Tree, words: Words) -> Option<&'static str> {
    let has = |(file, words): &&(&'static str, &[&str])| {
        tree.text(file).is_ok_and(|text| words.iter().any(|word| text.contains(word)))
    };
    words.iter().find(has).map(|(file, _)| *file)
}

/// A script of package.json that runs tests; the one that npm writes into a new package says that there are none.
fn script(tree: &Tree) -> Option<String> {
    let text = tree.text("package.json").ok()?;
    let is_test = |line: &str| line.contains("\"test\":") || line.contains("\"test:");
    let tests = text.lines().any(|line| is_test(line) && !line.contains("no test specified"));
    tests.then(|| "package.json".to_owned())
}

fn coverage(tree: &Tree) -> Option<String> {
    let files = [
        ".coveragerc",
        "codecov.yml",
        ".codecov.yml",
        "codecov.yaml",
        ".github/codecov.yml",
        ".nycrc",
        ".nycrc.json",
        ".c8rc.json",
        "tarpaulin.toml",
    ];
    let words: Words = &[
        ("pyproject.toml", &["[tool.coverage", "pytest-cov", "--cov"]),
        ("setup.cfg", &["[coverage:", "--cov"]),
        ("tox.ini", &["coverage", "--cov"]),
        ("package.json", &["--coverage", "\"c8\"", "\"nyc\"", "coverage-v8", "coverageThreshold"]),
        ("Makefile", &["coverprofile", "llvm-cov", "--cov"]),
    ];
    let known = tree.first(&files).or_else(|| naming(tree, words)).map(str::to_owned);
    known.or_else(|| {
        let settings = tree.find(&["vitest.config.*", "vite.config.*", "jest.config.*"], MOST_SETTINGS);
        settings.into_iter().find(|path| {
            // `coverage: {`, `collectCoverage`, `coverageProvider`.
            tree.text(path).is_ok_and(|text| text.to_lowercase().contains("coverage"))
        })
    })
}
