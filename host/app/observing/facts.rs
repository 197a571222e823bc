//! Facts of a tree, as the observer's clients read them.

use std::collections::BTreeSet;

use guardhost_core::change::{Objects, RepoPath};
use guardhost_core::error::Result;
use guardhost_engine::facts::{Ecosystem, Facts, facts, languages};
use guardhost_git::{Head, Repo};
use guardhost_observer::wire::{DeclaredDependencies, LanguageCount, TreeFacts};
use jiff::Timestamp;

/// Files that say how a project is built, in the root.
const MANIFESTS: [&str; 12] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "Gemfile",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Dockerfile",
    "Makefile",
];

/// Of what HEAD names.
pub fn fingerprint(repo: &Repo, repo_id: &str, head: &Head) -> Result<TreeFacts> {
    let objects = repo.store();
    let facts = facts(&*objects, head.tree)?;
    let is_there = |path: &str| -> Result<bool> {
        let path = RepoPath::from(path);
        Ok(objects.entry(head.tree, &path)?.is_some() || objects.is_dir(head.tree, &path)?)
    };
    let mut manifest_files = Vec::new();
    for name in MANIFESTS {
        if is_there(name)? {
            manifest_files.push(name.to_owned());
        }
    }
    let mut stack: BTreeSet<&str> = facts.manifests.iter().filter_map(|manifest| stack(manifest.ecosystem)).collect();
    for (path, name) in [
        ("Dockerfile", "docker"),
        ("docker-compose.yml", "docker-compose"),
        ("compose.yaml", "docker-compose"),
        (".github/workflows", "github-actions"),
        ("Makefile", "make"),
    ] {
        if is_there(path)? {
            stack.insert(name);
        }
    }
    let counted = languages(&*objects, head.tree)?;
    Ok(TreeFacts {
        repo: repo_id.to_owned(),
        tree: head.tree.to_string(),
        target: String::new(),
        commit_sha: head.commit.map(|oid| oid.to_string()).unwrap_or_default(),
        computed_at: Timestamp::now().to_string(),
        languages: counted
            .iter()
            .map(|language| LanguageCount { name: language.name.to_owned(), files: language.files.into() })
            .collect(),
        stack: stack.into_iter().map(str::to_owned).collect(),
        declared_deps: DeclaredDependencies {
            rust: dependencies(&facts, Ecosystem::Cargo),
            npm: dependencies(&facts, Ecosystem::Npm),
            python: dependencies(&facts, Ecosystem::Python),
            go: dependencies(&facts, Ecosystem::Go),
        },
        declared_frameworks: facts.frameworks.iter().map(|id| (*id).to_owned()).collect(),
        entrypoints: facts.entry_points.iter().map(ToString::to_string).collect(),
        manifest_files,
    })
}

fn stack(ecosystem: Ecosystem) -> Option<&'static str> {
    Some(match ecosystem {
        Ecosystem::Cargo => "rust/cargo",
        Ecosystem::Npm => "npm",
        Ecosystem::Python => "python",
        Ecosystem::Go => "go",
        Ecosystem::Ruby => "ruby",
        Ecosystem::Php => "php",
        Ecosystem::Maven => "maven",
        Ecosystem::Gradle => "gradle",
        Ecosystem::Other => return None,
    })
}

fn dependencies(facts: &Facts, ecosystem: Ecosystem) -> Vec<String> {
    let manifests = facts.manifests.iter().filter(|manifest| manifest.ecosystem == ecosystem);
    let names: BTreeSet<&str> =
        manifests.flat_map(|manifest| &manifest.dependencies).map(|dependency| dependency.name.as_str()).collect();
    names.into_iter().map(str::to_owned).collect()
}
