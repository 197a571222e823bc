//! What a repository is made of, from the names of its files.

use guardhost_report::FilesOfLanguage;
use std::collections::BTreeMap;

use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;
use guardhost_git::{Head, Repo, candidate};

/// Languages and manifests that are named in guards.toml.
const MOST: usize = 12;

/// Extensions of the languages that guards read.
const LANGUAGES: [(&str, &[&str]); 16] = [
    ("C", &["c", "h"]),
    ("C++", &["cc", "cpp", "cxx", "hh", "hpp"]),
    ("Go", &["go"]),
    ("HCL", &["hcl", "tf"]),
    ("Java", &["java"]),
    ("JavaScript", &["cjs", "js", "jsx", "mjs"]),
    ("JSON", &["json"]),
    ("Kotlin", &["kt", "kts"]),
    ("Markdown", &["markdown", "md"]),
    ("PHP", &["php"]),
    ("Python", &["py", "pyi"]),
    ("Ruby", &["rb"]),
    ("Rust", &["rs"]),
    ("Shell", &["bash", "sh"]),
    ("TypeScript", &["cts", "mts", "ts", "tsx"]),
    ("YAML", &["yaml", "yml"]),
];

/// Files that declare dependencies or how a project is built.
const MANIFESTS: [&str; 12] = [
    "Cargo.toml",
    "Gemfile",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
];

/// The files of HEAD.
#[derive(Debug, Default)]
pub struct InitSurvey {
    /// With the number of files, the most frequent first.
    pub languages: Vec<FilesOfLanguage>,
    /// Those nearest to the root first.
    pub manifests: Vec<String>,
}

impl InitSurvey {
    pub fn new(repo: &Repo, head: &Head) -> Result<Self> {
        let files = candidate(repo, None, repo.empty_tree()?, head.tree)?.files;
        Ok(Self::from_paths(files.iter().map(|file| &file.path)))
    }

    fn from_paths<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut manifests = Vec::new();
        for path in paths {
            let path = path.to_string();
            let name = path.rsplit('/').next().unwrap_or(&path);
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            if let Some((language, _)) = LANGUAGES.iter().find(|(_, known)| known.contains(&extension)) {
                *counts.entry(language).or_default() += 1;
            }
            if MANIFESTS.contains(&name) {
                manifests.push(path);
            }
        }
        let mut languages: Vec<_> =
            counts.into_iter().map(|(name, files)| FilesOfLanguage { name: name.to_owned(), files }).collect();
        languages.sort_by_key(|language| std::cmp::Reverse(language.files));
        languages.truncate(MOST);
        manifests.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        manifests.truncate(MOST);
        InitSurvey { languages, manifests }
    }

    /// Whether a manifest at the root says that tests, or a build, can be run.
    pub fn has_manifest(&self, names: &[&str]) -> Option<&str> {
        self.manifests.iter().map(String::as_str).find(|path| names.contains(path))
    }
}
