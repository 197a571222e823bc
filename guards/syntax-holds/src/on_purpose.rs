//! Files that are broken on purpose: what a test of a parser feeds to it.

use crate::syntax::Syntax;

/// How much a file that does not parse is to be believed a mistake. Asked only of files that the change adds: one
/// that parsed in the base was not broken on purpose.
#[derive(Debug, PartialEq)]
pub enum Intent {
    /// By its name, and by where it stands, it is meant not to parse.
    Broken,
    /// It stands among test data, which may be anything.
    TestData,
    Sound,
}

const TEST_FOLDERS: [&str; 8] = ["test", "tests", "spec", "specs", "__tests__", "testing", "fuzz", "e2e"];
const DATA_FOLDERS: [&str; 13] = [
    "fixture",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "corpus",
    "cases",
    "snapshots",
    "__snapshots__",
    "ui",
    "testcases",
    "specs",
];
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

pub fn intent(path: &str, syntax: Syntax) -> Intent {
    let lower = path.to_ascii_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let among = |folders: &[&str]| folder.split('/').any(|part| folders.contains(&part) || part.ends_with("suite"));
    let tests = among(&TEST_FOLDERS);
    let cases = folder.split('/').any(|part| part.ends_with("cases"));
    let data = among(&DATA_FOLDERS) || (tests && cases) || (tests && among(&["data"]));
    let named = says_broken(name);
    match () {
        _ if data && (named || says_broken(folder)) => Intent::Broken,
        // `tests/errors/test_io.py` is run, `tests/errors/io.json` is read.
        _ if tests && syntax.is_data() && (named || says_broken(folder)) => Intent::Broken,
        _ if tests && !is_run(name) && says_broken(folder) => Intent::Broken,
        _ if data => Intent::TestData,
        _ => Intent::Sound,
    }
}

fn says_broken(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| BROKEN_WORDS.contains(&word) || BROKEN.iter().any(|start| word.starts_with(start)))
}

/// By the conventions of test runners.
fn is_run(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    stem.starts_with("test")
        || stem.ends_with("test")
        || stem == "conftest"
        || stem == "__init__"
        || name.contains(".test.")
        || name.contains(".spec.")
}
