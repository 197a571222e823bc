//! Files that look like code and are what tests are fed with, or what stands beside the code.

use guard_sdk::analysis::Tree;
use guard_sdk::files::{EXAMPLES, Kind, TEST_DATA, TESTS, kind_of};

/// Folders of documents, and of what runs them.
const DOCUMENTS: [&str; 4] = ["docs", "doc", "documentation", "website"];

/// Paths that are looked at before the tree is searched for others.
const FIRST: u32 = 200;

/// Whether the file stands beside the code: a test, what tests read, an example, a document.
pub fn is_beside(path: &str) -> bool {
    match kind_of(path) {
        Kind::Test | Kind::TestData | Kind::Example | Kind::Vendored | Kind::Document => true,
        Kind::Code | Kind::Template | Kind::Generated | Kind::Configuration | Kind::Lock | Kind::Other => {
            path.split('/').any(|part| DOCUMENTS.contains(&part))
        }
    }
}

/// The first file of the globs that is no material.
pub fn first(tree: &Tree, globs: &[&str]) -> Option<String> {
    first_of(tree, globs, TEST_DATA, |path| kind_of(path) != Kind::TestData)
}

/// Whether there is a file of the globs that is no material, and neither test, document, example nor declaration.
pub fn has_own_code(tree: &Tree, globs: &[&str]) -> bool {
    // Declarations are for those who use code of another language.
    let others = [TEST_DATA, TESTS, EXAMPLES, &DOCUMENTS, &["*.d.ts", "*.test-d.ts"]].concat();
    let is_own = |path: &str| {
        let is_declaration = path.ends_with(".d.ts") || path.ends_with(".test-d.ts");
        !is_declaration && !is_beside(path)
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
