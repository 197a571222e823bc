//! The input and output of every manifest parser.

use std::collections::BTreeSet;

use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

use toml::Value;

use super::files::{FactsFiles, dir, join};
use super::{Dependency, DependencyKind};

/// The declarations of one file.
#[derive(Debug, Default)]
pub struct Declared {
    pub name: Option<String>,
    pub dependencies: Vec<Dependency>,
    pub problem: Option<String>,
    /// Names of dependencies that come from a folder, a repository, an address or another registry.
    pub elsewhere: BTreeSet<String>,
    /// It names an index of its own, from which any dependency may come.
    pub has_own_index: bool,
    /// Entry points that it names, relative to itself; they need not exist.
    pub starts: Vec<String>,
}

impl Declared {
    pub fn add(&mut self, name: &str, requirement: &str, kind: DependencyKind) {
        let (name, requirement) = (name.trim().to_owned(), requirement.trim().to_owned());
        if !name.is_empty() {
            self.dependencies.push(Dependency { name, requirement, kind });
        }
    }

    /// Adds the name to those from elsewhere, if the table of the dependency says so.
    pub fn note_source(&mut self, name: &str, table: &Value) {
        if SOURCES.iter().any(|key| table.get(key).is_some()) {
            self.elsewhere.insert(name.to_owned());
        }
    }

    /// The dependencies that come, or may come, from elsewhere. `is_elsewhere` says so of a requirement.
    pub fn those_from_elsewhere(&self, is_elsewhere: impl Fn(&str) -> bool) -> Vec<String> {
        let offered = |dependency: &&Dependency| self.has_own_index || is_elsewhere(&dependency.requirement);
        let offered = self.dependencies.iter().filter(offered).map(|dependency| dependency.name.clone());
        self.elsewhere.iter().cloned().chain(offered).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Stores the first problem and ignores later ones.
    pub fn add_problem(&mut self, problem: impl Into<String>) {
        self.problem.get_or_insert_with(|| problem.into());
    }
}

/// Keys by which Cargo, poetry, uv and pipenv say where else a dependency comes from.
const SOURCES: [&str; 11] =
    ["path", "git", "hg", "svn", "url", "file", "workspace", "registry", "registry-index", "source", "index"];

/// A manifest for its parser: its text, and access to the other files of the tree.
pub struct ManifestSource<'a> {
    pub path: &'a RepoPath,
    pub text: &'a str,
    pub files: &'a FactsFiles<'a>,
}

impl<'a> ManifestSource<'a> {
    /// The repository's path for one relative to this file; None when it leads out of the repository.
    pub fn beside(&self, relative: &str) -> Option<RepoPath> {
        join(dir(self.path), relative)
    }

    pub fn exists(&self, relative: &str) -> Result<bool> {
        self.beside(relative).map_or(Ok(false), |path| Ok(self.files.find(&path)?.is_some()))
    }

    /// The text at a path of the repository; the inner result says why there is none.
    pub fn read(&self, path: &RepoPath) -> Result<Result<String, String>> {
        match self.files.find(path)? {
            Some(oid) => self.files.text(oid),
            None => Ok(Err("no such file".to_owned())),
        }
    }

    /// Another file of the same tree.
    pub fn other<'b>(&'b self, path: &'b RepoPath, text: &'b str) -> ManifestSource<'b> {
        ManifestSource { path, text, files: self.files }
    }
}

/// A parser's error on one line: its first line, which has the position, and its last line, which has the reason.
pub fn problem(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("cannot be parsed").to_owned();
    lines.next_back().map_or(first.clone(), |last| format!("{first}: {last}"))
}
