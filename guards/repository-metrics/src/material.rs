//! Files that look like code and are what tests are fed with, or what stands beside the code.

use guard_sdk::analysis::Tree;

/// Folders of files that tests read or compare with, at any depth. Plain names: a search compares each with every folder of the tree.
pub const FOLDERS: [&str; 11] = [
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
];

/// Such folders below folders of tests.
const BELOW_TESTS: [&str; 4] = ["data", "expected", "samples", "resources"];

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

/// Paths that are looked at before the tree is searched for others.
const FIRST: u32 = 200;

/// Whether tests are fed with the file.
fn is_material(path: &str) -> bool {
    let folders: Vec<&str> = path.split('/').collect();
    let folders = &folders[..folders.len() - 1];
    folders.iter().enumerate().any(|(at, folder)| {
        let is_below_tests = at > 0 && matches!(folders[at - 1], "test" | "tests");
        FOLDERS.contains(folder) || (is_below_tests && BELOW_TESTS.contains(folder))
    })
}

/// The first file of the globs that is no material.
pub fn first(tree: &Tree, globs: &[&str]) -> Option<String> {
    first_of(tree, globs, &FOLDERS, |path| !is_material(path))
}

/// Whether there is a file of the globs that is no material, and neither test, document, example nor declaration.
pub fn has_own_code(tree: &Tree, globs: &[&str]) -> bool {
    // Declarations are for those who use code of another language.
    let others: Vec<&str> = FOLDERS.iter().chain(&BESIDE).copied().chain(["*.d.ts", "*.test-d.ts"]).collect();
    let is_own = |path: &str| {
        let is_declaration = path.ends_with(".d.ts") || path.ends_with(".test-d.ts");
        !is_material(path) && !is_declaration && !path.split('/').any(|part| BESIDE.contains(&part))
    };
    first_of(tree, globs, &others, is_own).is_some()
}

/// The first file that is wanted. A search without globs to leave out costs less, and mostly its first files are enough.
fn first_of(tree: &Tree, globs: &[&str], others: &[&str], is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let found = tree.find(globs, FIRST);
    let is_all = found.len() < FIRST as usize;
    if let Some(path) = found.into_iter().find(|path| is_wanted(path)) {
        return Some(path);
    }
    if is_all {
        return None;
    }
    let negated = others.iter().map(|folder| format!("!{folder}"));
    let globs: Vec<String> = globs.iter().map(|glob| glob.to_string()).chain(negated).collect();
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    tree.find(&globs, 1).into_iter().next()
}
