//! Which paths are those of tests.

use guard_files::Kind;

/// Whether a path is one of a test: by a folder's name, or by its own.
pub fn is_test(path: &str) -> bool {
    matches!(Kind::from_path(path), Kind::Test | Kind::TestData)
}
