//! Facts of a tree: the packages, frameworks and entry points that its manifests declare, and the languages of its files. They are
//! computed from the tree alone, so they are never missing.

mod cache;
mod cargo;
mod composer;
mod declared;
mod entry;
mod files;
mod frameworks;
mod go;
mod gradle;
mod languages;
mod manifest;
mod maven;
mod npm;
mod python;
mod ruby;
mod survey;

pub use cache::FactsCache;
pub use languages::{LanguageFiles, is_source, languages};

use serde::Serialize;

use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::error::Result;

/// Depends only on the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Of every directory but those of installed packages and build output, sorted by path.
    pub manifests: Vec<Manifest>,
    /// Canonical ids (`react`, `django`, …), sorted.
    pub frameworks: Vec<&'static str>,
    /// Entry points, by the ecosystem's convention or its manifest, sorted.
    pub entry_points: Vec<RepoPath>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Manifest {
    pub path: RepoPath,
    pub ecosystem: Ecosystem,
    /// The package's own name; None when the manifest gives none.
    pub name: Option<String>,
    /// Those that could be read.
    pub dependencies: Vec<Dependency>,
    /// Names of those that come, or may come, from somewhere else than the ecosystem's registry. Sorted.
    pub elsewhere: Vec<String>,
    /// Why the file, or a part of it, could not be read. Its other declarations are then unknown, not empty.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ecosystem {
    Cargo,
    Npm,
    Python,
    Go,
    Ruby,
    Php,
    Maven,
    Gradle,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Dependency {
    /// As the manifest spells it; for a renamed Cargo dependency the real name.
    pub name: String,
    /// The requirement as written; empty when there is none.
    pub requirement: String,
    pub kind: DependencyKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DependencyKind {
    Normal,
    Dev,
    Build,
    Peer,
    Optional,
}

/// One walk of the tree. Reads only manifests and the files that they include.
pub fn facts(objects: &dyn Objects, tree: Oid) -> Result<Facts> {
    let survey = survey::survey(objects, tree)?;
    let files = files::FactsFiles::new(objects, tree);
    let (manifests, named) = manifest::read(&files, &survey.manifests)?;
    let frameworks = frameworks::frameworks(&manifests);
    let entry_points = entry::entry_points(&files, &survey.starts, &manifests, named)?;
    Ok(Facts { manifests, frameworks, entry_points })
}
