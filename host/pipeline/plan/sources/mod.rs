//! Which sources a test file is about, by what it imports. Only files that exist are named, never guessed ones.

mod go;
mod javascript;
mod python;
mod rust;
pub mod test_path;

use guardhost_core::error::Result;

use super::tree_files::TreeFiles;
use test_path::is_test;

/// Sources of one test file; a test that imports more is about no single one of them.
const SOURCES: usize = 4;

/// The sources under test, at most four, in the order in which the test names them. A test that stands inside of a source (as Rust's unit
/// tests do) is about that source.
pub fn under_test(path: &str, files: &TreeFiles) -> Result<Vec<String>> {
    if !is_test(path) {
        return Ok(vec![path.to_owned()]);
    }
    let Some(text) = files.text(path)? else { return Ok(Vec::new()) };
    let found = match path.rsplit('.').next() {
        Some("py") => python::sources(path, &text, files),
        Some("rs") => rust::sources(path, &text, files)?,
        Some("go") => go::sources(path, files),
        Some("js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts") => javascript::sources(path, &text, files),
        _ => Vec::new(),
    };
    let mut sources: Vec<String> = Vec::new();
    for source in found {
        if !is_test(&source) && !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources.truncate(SOURCES);
    Ok(sources)
}
