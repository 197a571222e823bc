//! Files that look like code and are what tests are fed with, or what tests are.

/// Folders of files that tests read or compare with.
pub const FOLDERS: [&str; 28] = [
    "testdata",
    "test-data",
    "test_data",
    "test-fixtures",
    "test_fixtures",
    "fixtures",
    "fixture",
    "__fixtures__",
    "__testfixtures__",
    "__snapshots__",
    "syntax-tests",
    "**/test/resources",
    "**/test/**/data",
    "**/tests/**/data",
    "**/test/**/expected",
    "**/tests/**/expected",
    "**/test/**/input",
    "**/tests/**/input",
    "**/test/**/inputs",
    "**/tests/**/inputs",
    "**/test/**/samples",
    "**/tests/**/samples",
    "**/test/**/snapshots",
    "**/tests/**/snapshots",
    "**/test/**/corpus",
    "**/tests/**/corpus",
    "**/test/**/golden",
    "**/tests/**/golden",
];

/// Folders of tests.
const TESTS: [&str; 6] = ["test", "tests", "__tests__", "spec", "specs", "e2e"];

/// The globs without what tests are fed with.
pub fn without(globs: &[&str]) -> Vec<String> {
    let negated = FOLDERS.iter().map(|folder| format!("!{folder}"));
    globs.iter().map(|glob| glob.to_string()).chain(negated).collect()
}

/// The globs without tests and what they are fed with.
pub fn outside_of_tests(globs: &[&str]) -> Vec<String> {
    without(globs).into_iter().chain(TESTS.iter().map(|folder| format!("!{folder}"))).collect()
}
