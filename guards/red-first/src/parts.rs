//! The parts of a change: its tests with their data, and its code.

use guard_sdk::files::{Kind, kind_of, runs_as_test};
use guard_sdk::language::DefinitionKind;
use guard_sdk::{Change, File, Replaced, Side};

use crate::splice::{self, Regions};

/// A test of a touched file, by the name that it has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub path: String,
    pub name: String,
    pub line: u32,
    /// The change touches one of its lines.
    pub is_touched: bool,
    /// It stands in a file of code that the change adds, so that there is nothing to run it on.
    pub has_no_base: bool,
}

pub struct Parts {
    /// What the base gets of the change: its tests, and what they read.
    pub replaced: Vec<Replaced>,
    pub written: Vec<Written>,
    /// Files of the candidate that the change touches and that hold tests: some are called so, and some hold a test that it touches.
    pub test_files: Vec<String>,
    /// Names that the code of the change brings in.
    pub added_names: Vec<String>,
    has_code: bool,
}

/// Files that say which tests are run, and how: those of the base count, so that no change decides how it is judged.
const RUNNER_SETTINGS: [&str; 12] = [
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    ".mocharc.",
    "jest.config.",
    "vitest.config.",
    "vitest.workspace.",
    "karma.conf.",
    "phpunit.xml",
    ".rspec",
    "ctestconfig.cmake",
    "noxfile.py",
];

impl Parts {
    pub fn new(change: &Change) -> Self {
        let (mut replaced, mut written, mut added_names) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_code = false;
        for file in change.files() {
            let is_test = is_test(file.path());
            let tests = tests_in(change, &file, is_test);
            match is_test {
                _ if is_runner_setting(file.name()) => {}
                true => {
                    replaced.push(Replaced::as_other_side(file.path()));
                    let moved = file.old_path().filter(|_| file.status() == guard_sdk::Status::Renamed);
                    replaced.extend(moved.map(Replaced::as_other_side));
                }
                false => {
                    has_code |= kind_of(file.path()) == Kind::Code
                        || file.old_path().is_some_and(|old| kind_of(old) == Kind::Code);
                    added_names.extend(splice::added_words(&file));
                    replaced.extend(spliced(change, &file));
                }
            }
            written.extend(tests);
        }
        let holds_test = |path: &str| {
            runs_as_test(path) || written.iter().any(|test: &Written| test.is_touched && test.path == path)
        };
        let test_files = change.files().filter(|file| file.after().exists() && holds_test(file.path()));
        let test_files = test_files.map(|file| file.path().to_owned()).collect();
        added_names.sort();
        added_names.dedup();
        Parts { replaced, written, test_files, added_names, has_code }
    }

    /// Why there is nothing that a test could prove.
    pub fn nothing_to_prove(&self) -> Option<&'static str> {
        match (self.has_code, self.written.iter().any(|test| test.is_touched) || !self.replaced.is_empty()) {
            (false, _) => Some("the change has no code, beside tests, whose tests could prove anything"),
            (true, false) => Some("the change adds and changes no test"),
            (true, true) => None,
        }
    }
}

fn is_test(path: &str) -> bool {
    matches!(kind_of(path), Kind::Test | Kind::TestData) || runs_as_test(&path.to_ascii_lowercase())
}

fn is_runner_setting(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    RUNNER_SETTINGS.iter().any(|start| name.starts_with(start))
}

/// The tests that the candidate's file defines.
fn tests_in(change: &Change, file: &File, is_test: bool) -> Vec<Written> {
    let Ok(outline) = change.languages(Side::After).outline(file.path()) else { return Vec::new() };
    let changed = file.changed_lines();
    let has_no_base = !is_test && !file.before().exists();
    let tests = outline.definitions.into_iter().filter(|definition| definition.kind == DefinitionKind::Test);
    let written = tests.map(|test| Written {
        path: file.path().to_owned(),
        is_touched: changed.iter().any(|run| *run.start() <= test.lines.last && *run.end() >= test.lines.first),
        line: test.lines.first,
        name: test.name,
        has_no_base,
    });
    written.collect()
}

/// The base's code with the tests that the candidate's file has beside it; None when the change touches none of them.
fn spliced(change: &Change, file: &File) -> Option<Replaced> {
    let path = file.old_path().unwrap_or(file.path());
    let before = change.languages(Side::Before).outline(path).ok()?;
    let after = change.languages(Side::After).outline(file.path()).ok()?;
    let (old, new) = (file.before().text().ok()?, file.after().text().ok()?);
    let text = splice::splice(&old, &new, &file.hunks(), &Regions::new(&before), &Regions::new(&after))?;
    Some(Replaced::content(path, text))
}
