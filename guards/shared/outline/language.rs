//! The languages whose definitions this guard knows.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    Rust,
}

impl Language {
    pub const GLOBS: &[&str] =
        &["*.py", "*.pyi", "*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.rs"];

    pub fn of(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "py" | "pyi" => Some(Language::Python),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Some(Language::JavaScript),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    /// Where code in this language refers to other code in it.
    pub fn globs(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["*.py", "*.pyi"],
            Language::JavaScript => &["*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx"],
            Language::Rust => &["*.rs"],
        }
    }
}

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
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let among = ["test", "tests", "testing", "__tests__", "spec", "specs", "e2e", "testsuite"];
    is_named_test(path) || folders.split('/').any(|part| among.contains(&part))
}

fn is_named_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    stem.starts_with("test_")
        || ["_test", "_tests", "-test"].iter().any(|end| stem.ends_with(end))
        || matches!(stem, "test" | "tests" | "conftest")
        || [".test.", ".spec.", ".test-d."].iter().any(|part| name.contains(part))
}

/// Whether it is what tests are fed with, not run as.
pub fn is_test_data(path: &str) -> bool {
    let data =
        ["fixtures", "fixture", "__fixtures__", "testdata", "test-data", "test_data", "data", "cases", "snapshots"];
    let among = |names: &[&str]| {
        path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|part| names.contains(&part)))
    };
    // An example has tests of its own.
    among(&data) || (among(&["examples", "example"]) && !is_named_test(path))
}
