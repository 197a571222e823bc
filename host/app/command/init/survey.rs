//! What a repository is made of, from the names of its files.

use guardhost_core::error::Result;
use guardhost_engine::facts::{LanguageFiles, languages};
use guardhost_git::{Head, Repo, candidate};
use guardhost_report::FilesOfLanguage;

/// Languages and manifests that are named in guards.toml.
const MOST: usize = 12;

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
        let paths = files.iter().map(|file| file.path.to_string());
        let mut manifests: Vec<String> =
            paths.filter(|path| MANIFESTS.contains(&path.rsplit('/').next().unwrap_or(path))).collect();
        manifests.sort_by_key(|path| (path.matches('/').count(), path.clone()));
        manifests.truncate(MOST);
        // The same count of languages that guards get.
        let languages = languages(&*repo.store(), head.tree)?.into_iter().take(MOST);
        let named =
            |LanguageFiles { name, files, .. }| FilesOfLanguage { name: name.to_owned(), files: files as usize };
        Ok(InitSurvey { languages: languages.map(named).collect(), manifests })
    }

    /// Whether a manifest at the root says that tests, or a build, can be run.
    pub fn has_manifest(&self, names: &[&str]) -> Option<&str> {
        self.manifests.iter().map(String::as_str).find(|path| names.contains(path))
    }
}
