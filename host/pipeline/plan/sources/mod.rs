//! Which sources a test file is about, by what it imports. Only files that exist are named, never guessed ones.

mod go;
mod javascript;
mod python;
mod rust;

use guardhost_core::error::Result;

use super::tree_files::TreeFiles;

/// Sources of one test file; a test that imports more is about no single one of them.
const SOURCES: usize = 4;

/// Whether a path is one of a test: by a folder's name, or by its own.
pub fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let in_folder = folders.split('/').any(|folder| ["tests", "test", "__tests__", "spec", "specs"].contains(&folder));
    let by_name = stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem == "tests"
        || stem == "conftest"
        || name.contains(".test.")
        || name.contains(".spec.");
    in_folder || by_name
}

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

/// The folder of a path; empty for the root.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `relative` seen from a folder; None when it leaves the repository.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// A folder and all above it, the innermost first; the root is the last.
fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let here = next?;
        next = match here {
            "" => None,
            _ => Some(here.rsplit_once('/').map_or("", |(above, _)| above)),
        };
        Some(here)
    })
}
