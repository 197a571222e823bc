//! TreeKind files hold tests, or what tests lean on: by the conventions of the runners, since only names are known before a run.

use super::projects::join;

use guardhost_core::change::{Candidate, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;

/// Folders that hold nothing else.
const FOLDERS: [&str; 7] = ["tests", "test", "__tests__", "__snapshots__", "__mocks__", "testdata", "spec"];

/// Settings of runners that can leave tests out.
const SETTINGS: [&str; 4] = ["conftest.py", "pytest.ini", ".mocharc.json", "tox.ini"];

pub fn is_test_file(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    folder.split('/').any(|part| FOLDERS.contains(&part))
        || SETTINGS.contains(&name)
        || runs(path)
        || runner_settings(name)
}

fn runner_settings(name: &str) -> bool {
    ["jest.config.", "vitest.config.", "vitest.workspace.", "jest.setup.", "vitest.setup."]
        .iter()
        .any(|start| name.starts_with(start))
}

/// A file that a runner can be told to run.
pub fn runs(path: &str) -> bool {
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

/// The candidate with its test files as the base has them, and which these are: what the change edited, moved or deleted. None when it
/// touched none. A test file that the change adds stays: it was not on the base, and others may import it.
pub fn with_base_tests(candidate: &Candidate) -> Result<Option<(Oid, Vec<String>)>> {
    let named = |path: &RepoPath| path.as_str().is_some_and(is_test_file);
    let mut edits: Vec<(RepoPath, Option<TreeEntry>)> = Vec::new();
    let mut restored = Vec::new();
    for file in &candidate.files {
        let old = file.old_path.as_ref().unwrap_or(&file.path);
        let Some(before) = file.before.filter(|_| named(old)) else { continue };
        let moved = file.old_path.is_some() && file.change_type == guardhost_core::change::ChangeType::Rename;
        if moved && named(&file.path) {
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

/// The test files below a folder, as a runner there is told them; none, which means all of them, when one cannot be run by itself.
pub fn told(only: &[String], folder: &str) -> Vec<String> {
    let above = join(folder, "");
    let here: Vec<&str> = only.iter().filter_map(|path| path.strip_prefix(&above)).collect();
    match here.iter().all(|path| runs(path)) {
        true => here.into_iter().map(str::to_owned).collect(),
        false => Vec::new(),
    }
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
