//! Files that are broken on purpose: what a test of a parser feeds to it.

use guard_sdk::files::{Kind, kind_of, runs_as_test};

use crate::syntax::Syntax;

/// How much a file that does not parse is to be believed a mistake. Asked only of files that the change adds: one
/// that parsed in the base was not broken on purpose.
#[derive(Debug, PartialEq)]
pub enum Intent {
    /// By its name, and by where it stands, it is meant not to parse.
    Broken,
    /// It stands among test data, which may be anything; or whoever reads it may take more than its name says.
    Unsure,
    Sound,
}

/// Beginnings of words.
const BROKEN: [&str; 20] = [
    "invalid",
    "malform",
    "corrupt",
    "unpars",
    "broken",
    "fail",
    "error",
    "illegal",
    "unclosed",
    "untermin",
    "truncat",
    "incomplete",
    "unbalanced",
    "reject",
    "negative",
    "crash",
    "garbage",
    "syntax",
    "empty",
    "conflict",
];
const BROKEN_WORDS: [&str; 4] = ["bad", "err", "wrong", "nok"];

pub fn intent(path: &str, syntax: &Syntax) -> Intent {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let kind = kind_of(path);
    let (tests, data) = (matches!(kind, Kind::Test | Kind::TestData), kind == Kind::TestData);
    let named = says_broken(name);
    match () {
        _ if data && (named || says_broken(folder)) => Intent::Broken,
        // `tests/errors/test_io.py` is run, `tests/errors/io.json` is read.
        _ if tests && syntax.is_data() && (named || says_broken(folder)) => Intent::Broken,
        _ if tests && !is_run(name) && says_broken(folder) => Intent::Broken,
        _ if data => Intent::Unsure,
        _ => Intent::Sound,
    }
}

fn says_broken(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| BROKEN_WORDS.contains(&word) || BROKEN.iter().any(|start| word.starts_with(start)))
}

/// By the conventions of test runners.
fn is_run(name: &str) -> bool {
    runs_as_test(name) || name.starts_with("__init__.")
}
