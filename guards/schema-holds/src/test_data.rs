//! Files that a test reads: they may be wrong on purpose.

const FOLDERS: [&str; 14] = [
    "fixture",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "testcases",
    "corpus",
    "cases",
    "snapshots",
    "__snapshots__",
    "specs",
    "ui",
    "mocks",
];
const TEST_FOLDERS: [&str; 6] = ["test", "tests", "__tests__", "spec", "testing", "e2e"];

/// Whether the path leads through a folder of test data, or two folders deep below one of tests.
pub fn is_test_data(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').rev().skip(1).collect();
    parts.iter().any(|part| FOLDERS.contains(part) || part.ends_with("suite"))
        || parts.iter().skip(1).any(|part| TEST_FOLDERS.contains(part))
}
