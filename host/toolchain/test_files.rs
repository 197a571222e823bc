//! Which files are tests, or fixtures and settings of tests. Decided by the runners' naming conventions, because only names are known
//! before a run.

use super::projects::join;

use guard_files::Kind;
use guardhost_core::change::{Candidate, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;

/// Runner settings that can exclude tests.
const SETTINGS: [&str; 4] = ["conftest.py", "pytest.ini", ".mocharc.json", "tox.ini"];

pub fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(Kind::from_path(path), Kind::Test | Kind::TestData)
        || SETTINGS.contains(&name)
        || is_runnable(path)
        || runner_settings(name)
}

fn runner_settings(name: &str) -> bool {
    ["jest.config.", "vitest.config.", "vitest.workspace.", "jest.setup.", "vitest.setup."]
        .iter()
        .any(|start| name.starts_with(start))
}

/// A file that a runner can run when it is named.
fn is_runnable(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    match ending {
        "py" => stem.starts_with("test_") || stem.ends_with("_test"),
        "go" => stem.ends_with("_test"),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => {
            stem.ends_with(".test")
                || stem.ends_with(".spec")
                || stem.ends_with("-test")
                || stem.ends_with("_test")
                || stem.starts_with("test-")
        }
        _ => false,
    }
}

/// The candidate's tree with the base's version of every test file that the change edited, moved or deleted, and the paths of those
/// files. None when the change touches no test file of the base. A test file that the change adds stays: others may import it.
pub fn with_base_tests(candidate: &Candidate) -> Result<Option<(Oid, Vec<String>)>> {
    let is_test = |path: &RepoPath| path.as_str().is_some_and(is_test_file);
    let mut edits: Vec<(RepoPath, Option<TreeEntry>)> = Vec::new();
    let mut restored = Vec::new();
    for file in &candidate.files {
        let old = file.old_path.as_ref().unwrap_or(&file.path);
        let Some(before) = file.before.filter(|_| is_test(old)) else { continue };
        let moved = file.old_path.is_some() && file.change_type == guardhost_core::change::ChangeType::Rename;
        if moved && is_test(&file.path) {
            edits.push((file.path.clone(), None));
        }
        edits.push((old.clone(), Some(TreeEntry { oid: before.oid, mode: before.mode })));
        restored.extend(old.as_str().map(str::to_owned));
    }
    if restored.is_empty() {
        return Ok(None);
    }
    Ok(Some((candidate.objects.edit_tree(candidate.tree, &edits)?, restored)))
}

/// The test files below a folder, relative to it, to name to a runner. Empty, which means all tests, when one of them cannot be run by
/// itself.
pub fn below(only: &[String], folder: &str) -> Vec<String> {
    let prefix = join(folder, "");
    let here: Vec<&str> = only.iter().filter_map(|path| path.strip_prefix(&prefix)).collect();
    match here.iter().all(|path| is_runnable(path)) {
        true => here.into_iter().map(str::to_owned).collect(),
        false => Vec::new(),
    }
}

/// The same for a runner that takes any file: those of its language that hold tests are known to whoever names them.
pub fn below_any(only: &[String], folder: &str) -> Vec<String> {
    let prefix = join(folder, "");
    let prefix = if folder.is_empty() { "" } else { prefix.as_str() };
    only.iter().filter_map(|path| path.strip_prefix(prefix)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_name() {
        for path in
            ["tests/data/a.json", "a/test_x.py", "x_test.go", "src/a.test.ts", "conftest.py", "vitest.config.ts"]
        {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["src/lib.rs", "a/contest.py", "testing.md", "src/latest.ts", "attest/a.go"] {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
