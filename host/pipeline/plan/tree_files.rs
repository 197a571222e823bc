//! The files of a tree by their paths, for questions of the layers.

use std::collections::BTreeSet;

use guardhost_core::change::{FileMode, RepoPath, Tree};
use guardhost_core::error::Result;

use super::cited::{cited, repo_paths};
use super::sources::test_path::is_test;

/// Bytes of a file that is looked into; longer ones are data.
const TEXT: u64 = 512 << 10;
/// Files that are searched for a test by its name.
const SEARCHED: usize = 2_000;
/// Paths that are compared with one that does not exist.
const COMPARED: usize = 20_000;
/// Paths that are named in the place of one.
const NEAREST: usize = 3;

/// Paths that are not UTF-8 are left out: no plan names them.
pub struct TreeFiles<'t> {
    tree: &'t Tree,
    paths: BTreeSet<String>,
}

impl<'t> TreeFiles<'t> {
    pub fn read(tree: &'t Tree) -> Result<Self> {
        let mut paths = BTreeSet::new();
        tree.objects.walk(tree.oid, &mut |path, _| {
            paths.extend(path.as_str().map(str::to_owned));
            true
        })?;
        Ok(TreeFiles { tree, paths })
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// A file, or a folder with files in it.
    pub fn has_any(&self, path: &str) -> bool {
        let folder = path.trim_end_matches('/');
        self.has(folder) || self.below(folder).next().is_some()
    }

    /// The files in a folder and below.
    pub fn below<'s>(&'s self, folder: &str) -> impl Iterator<Item = &'s str> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let from = self.paths.range(prefix.clone()..);
        from.map(String::as_str).take_while(move |path| path.starts_with(&prefix))
    }

    /// None for what is no file, not text, or too long.
    pub fn text(&self, path: &str) -> Result<Option<String>> {
        let Some(entry) = self.tree.objects.entry(self.tree.oid, &RepoPath::from(path))? else { return Ok(None) };
        let is_file = matches!(entry.mode, FileMode::File | FileMode::Executable);
        if !is_file || self.tree.objects.blob_size(entry.oid)? > TEXT {
            return Ok(None);
        }
        Ok(String::from_utf8(self.tree.objects.blob(entry.oid)?.to_vec()).ok())
    }

    /// Real paths that were probably meant: files of the same name first, then the most similar path.
    pub fn nearest(&self, path: &str) -> Vec<String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let wanted = name(path);
        let same = self.paths().filter(|known| name(known) == wanted);
        let mut found: Vec<String> = same.take(NEAREST).map(str::to_owned).collect();
        if found.is_empty() {
            let known: Vec<&str> = self.paths().take(COMPARED).collect();
            found.extend(guardhost_policy::config::nearest(path, &known).map(str::to_owned));
        }
        found
    }

    /// Files that a text names.
    pub fn named_in(&self, text: &str) -> Vec<String> {
        cited(text, |path| self.has(path))
    }

    /// The test file that defines a test, by the name at the end of the test's id (`package mod::tests::name`, `pkg TestName`, `suite >
    /// name`). None unless there is exactly one.
    pub fn test_named(&self, id: &str) -> Result<Option<String>> {
        let id = id.trim();
        // Of a subtest the test.
        let go = id.rsplit(' ').next().and_then(|name| name.split('/').next()).unwrap_or(id);
        let rust = id.rsplit("::").next().unwrap_or(id).rsplit(' ').next().unwrap_or(id);
        let title = id.rsplit(" > ").next().unwrap_or(id);
        let defines = |path: &str, text: &str| match path.rsplit('.').next() {
            Some("go") => is_test(path) && text.contains(&format!("func {go}(")),
            Some("rs") => text.contains(&format!("fn {rust}(")) && text.contains("test"),
            Some("js" | "ts" | "mjs" | "cjs" | "mts" | "jsx" | "tsx") => {
                is_test(path) && ["'", "\"", "`"].iter().any(|quote| text.contains(&format!("{quote}{title}{quote}")))
            }
            _ => false,
        };
        let mut found = None;
        for path in self.paths().filter(|path| may_define_tests(path)).take(SEARCHED) {
            if self.text(path)?.is_some_and(|text| defines(path, &text)) && found.replace(path.to_owned()).is_some() {
                return Ok(None);
            }
        }
        Ok(found)
    }
}

/// Files of a tree that a text names, in its order.
///
/// # Errors
/// Of the repository.
pub fn files_named_in(tree: &Tree, text: &str) -> Result<Vec<RepoPath>> {
    Ok(repo_paths(&TreeFiles::read(tree)?.named_in(text)))
}

fn may_define_tests(path: &str) -> bool {
    path.ends_with(".rs") || (is_test(path) && !path.ends_with(".py"))
}
