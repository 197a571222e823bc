//! What a path is, as far as definitions and tests go.

use guard_sdk::files::{self, Kind};

/// What a file is to a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Code,
    /// Says what the project is made with.
    Manifest,
    /// What people read, or programs are fed with.
    Other,
}

pub fn kind_of_file(path: &str) -> FileKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let manifest =
        ["Cargo.toml", "Cargo.lock", "package.json", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "go.mod"];
    if manifest.contains(&name) || name.starts_with("requirements") || name.contains("lock") {
        return FileKind::Manifest;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let other = [
        "md", "rst", "txt", "adoc", "json", "yml", "yaml", "toml", "snap", "html", "svg", "css", "ini", "cfg", "out",
        "golden",
    ];
    if other.contains(&extension) || extension.is_empty() { FileKind::Other } else { FileKind::Code }
}

/// Whether a test runner would look for tests in it, or code that serves tests stands in it.
pub fn is_test(path: &str) -> bool {
    matches!(files::kind_of(path), Kind::Test | Kind::TestData)
}

/// Whether it is run as a test, and not what tests are fed with.
pub fn is_run(path: &str) -> bool {
    files::kind_of(path) == Kind::Test
}
