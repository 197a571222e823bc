//! Files that look like code and are what tests are fed with, or what stands beside the code.

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

/// Folders of tests, documents and examples.
const BESIDE: [&str; 12] = [
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "e2e",
    "docs",
    "doc",
    "documentation",
    "website",
    "examples",
    "example",
];

/// The globs without what tests are fed with.
pub fn without(globs: &[&str]) -> Vec<String> {
    let negated = FOLDERS.iter().map(|folder| format!("!{folder}"));
    globs.iter().map(|glob| glob.to_string()).chain(negated).collect()
}

/// The globs without tests, what they are fed with, documents and examples.
pub fn own_code(globs: &[&str]) -> Vec<String> {
    // Declarations for those who use code of another language.
    let declarations = ["!*.d.ts", "!*.test-d.ts"].map(str::to_owned);
    let beside = BESIDE.iter().map(|folder| format!("!{folder}"));
    without(globs).into_iter().chain(beside).chain(declarations).collect()
}
