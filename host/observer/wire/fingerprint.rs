//! What a tree says of itself: languages, dependencies, frameworks, entry points.

use serde::{Deserialize, Serialize};

/// Facts of one tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeFacts {
    /// The repository's id.
    #[serde(default)]
    pub repo: String,
    /// The tree's object id. Facts depend on nothing else.
    #[serde(default)]
    pub tree: String,
    /// The folder that was asked for; empty when a client sent the facts.
    #[serde(default)]
    pub target: String,
    #[serde(default)]
    pub commit_sha: String,
    /// RFC 3339.
    #[serde(default)]
    pub computed_at: String,
    /// Most files first.
    pub languages: Vec<LanguageCount>,
    /// Sorted: `rust/cargo`, `npm`, `go`, `python`, …
    pub stack: Vec<String>,
    pub declared_deps: DeclaredDependencies,
    /// Sorted canonical ids: `react`, `django`, …
    pub declared_frameworks: Vec<String>,
    pub entrypoints: Vec<String>,
    pub manifest_files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageCount {
    pub name: String,
    pub files: u64,
}

/// Names, sorted, of all manifests of an ecosystem.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredDependencies {
    #[serde(default)]
    pub rust: Vec<String>,
    #[serde(default)]
    pub npm: Vec<String>,
    #[serde(default)]
    pub python: Vec<String>,
    #[serde(default)]
    pub go: Vec<String>,
}
