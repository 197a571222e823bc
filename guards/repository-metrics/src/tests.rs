//! Whether there are tests, and what runs them.

use guard_sdk::analysis::{Measurement, Point, Tree};

use crate::languages::{self, Language};
use crate::material;
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
        let name = language.name();
        points.push(match test(tree, *language) {
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
        let name = language.name();
        points.push(match runner(tree, *language) {
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

/// A file of tests of the language; of Rust also a test beside the code.
fn test(tree: &Tree, language: Language) -> Option<Place> {
    // Files that are named as tests come before those that only stand among them.
    for globs in named(language) {
        if let Some(path) = material::first(tree, globs) {
            return Some(Place { path, line: None });
        }
    }
    if language != Language::Rust {
        return None;
    }
    let hits = tree.search(&["#[test]", "#[tokio::test]"], &["*.rs"], 1);
    hits.into_iter().next().map(|hit| Place { path: hit.path, line: Some(hit.line) })
}

fn named(language: Language) -> Vec<&'static [&'static str]> {
    match language {
        Language::Python => vec![&["test_*.py", "*_test.py", "tests.py"]],
        Language::JavaScript => vec![
            &[
                "*.test.js",
                "*.spec.js",
                "*.test.jsx",
                "*.test.mjs",
                "*.test.cjs",
                "*_test.js",
                "*_spec.js",
                "/test.js",
                "/test.mjs",
                "/test.cjs",
            ],
            &["**/test/**/*.js", "**/tests/**/*.js", "**/__tests__/**/*.js", "**/test/**/*.mjs"],
        ],
        Language::TypeScript => vec![
            &["*.test.ts", "*.spec.ts", "*.test.tsx", "*.spec.tsx", "/test.ts"],
            &["**/test/**/*.ts", "**/tests/**/*.ts", "**/__tests__/**/*.ts"],
        ],
        Language::Rust => vec![&["**/tests/*.rs", "**/tests/*/main.rs"]],
        Language::Go => vec![&["*_test.go"]],
        Language::Ruby => vec![&["*_spec.rb", "*_test.rb", "test_*.rb", "spec_*.rb"]],
        Language::Php => vec![&["*Test.php"]],
        Language::Java => vec![&["*Test.java", "*Tests.java"], &["**/src/test/**/*.java"]],
        Language::Kotlin => vec![&["*Test.kt"], &["**/src/test/**/*.kt"]],
    }
}

enum Runner {
    Configured(String),
    BuiltIn,
    None,
}

fn runner(tree: &Tree, language: Language) -> Runner {
    let named = |files: &[&str], words: &[&str]| {
        let file =
            files.iter().find(|file| tree.text(file).is_ok_and(|text| words.iter().any(|word| text.contains(word))));
        file.map(|file| file.to_string())
    };
    let found = match language {
        Language::Rust | Language::Go => return Runner::BuiltIn,
        Language::Python => tree
            .first(&["pytest.ini", "tox.ini", "noxfile.py", "conftest.py", "tests/conftest.py"])
            .map(str::to_owned)
            .or_else(|| {
                named(&["pyproject.toml", "setup.cfg", "Makefile"], &["pytest", "unittest", "[tool.hatch.envs", "nox"])
            }),
        Language::JavaScript | Language::TypeScript => tree
            .find(
                &[
                    "/jest.config.*",
                    "/vitest.config.*",
                    "/vitest.workspace.*",
                    "/.mocharc*",
                    "/karma.conf.*",
                    "/playwright.config.*",
                ],
                1,
            )
            .into_iter()
            .next()
            .or_else(|| script(tree)),
        Language::Ruby => tree.first(&[".rspec", "Rakefile"]).map(str::to_owned),
        Language::Php => tree.first(&["phpunit.xml", "phpunit.xml.dist"]).map(str::to_owned),
        Language::Java | Language::Kotlin => {
            tree.first(&["pom.xml", "build.gradle", "build.gradle.kts"]).map(str::to_owned)
        }
    };
    found.map_or(Runner::None, Runner::Configured)
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
    let words: [(&str, &[&str]); 5] = [
        ("pyproject.toml", &["[tool.coverage", "pytest-cov", "--cov"]),
        ("setup.cfg", &["[coverage:", "--cov"]),
        ("tox.ini", &["coverage", "--cov"]),
        ("package.json", &["--coverage", "\"c8\"", "\"nyc\"", "coverage-v8", "coverageThreshold"]),
        ("Makefile", &["coverprofile", "llvm-cov", "--cov"]),
    ];
    let by_words = || {
        words
            .iter()
            .find(|(file, words)| tree.text(file).is_ok_and(|text| words.iter().any(|word| text.contains(word))))
    };
    let known = tree.first(&files).or_else(|| by_words().map(|(file, _)| *file)).map(str::to_owned);
    known.or_else(|| {
        let settings = tree.find(&["vitest.config.*", "vite.config.*", "jest.config.*"], MOST_SETTINGS);
        settings.into_iter().find(|path| {
            // `coverage: {`, `collectCoverage`, `coverageProvider`.
            tree.text(path).is_ok_and(|text| text.to_lowercase().contains("coverage"))
        })
    })
}
