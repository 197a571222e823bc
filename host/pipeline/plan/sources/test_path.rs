//! Which paths are those of tests.

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
