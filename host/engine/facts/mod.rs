//! What the manifests of a tree declare: packages, frameworks, entry points; and the languages of its files. Computed from
//! the tree alone, so it can never be missing.

mod cargo;
mod composer;
mod declared;
mod entry;
mod files;
mod frameworks;
mod go;
mod gradle;
mod known;
mod languages;
mod manifest;
mod maven;
mod npm;
mod python;
mod ruby;
mod survey;

pub use known::Known;
pub use languages::{Language, languages};

use serde::Serialize;

use guardhost_core::change::{Objects, Oid, RepoPath};
use guardhost_core::error::Result;

/// Sorted, and the same for the same tree: worth keeping by tree id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Of every directory but those of installed packages and build output, sorted by path.
    pub manifests: Vec<Manifest>,
    /// Canonical ids (`react`, `django`, …), sorted.
    pub frameworks: Vec<&'static str>,
    /// Files that start the program, by the ecosystem's convention or its manifest, sorted.
    pub entry_points: Vec<RepoPath>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Manifest {
    pub path: RepoPath,
    pub ecosystem: Ecosystem,
    /// The package's own name; none for a manifest that names none.
    pub name: Option<String>,
    /// As far as the file could be read.
    pub dependencies: Vec<Dependency>,
    /// Why the file, or a part of it, could not be read: what else it declares is then unknown, not empty.
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
    /// As the manifest spells it; of a renamed Cargo dependency the real name.
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

/// One walk of the tree; of the blobs it reads manifests only, and what they include.
pub fn facts(objects: &dyn Objects, tree: Oid) -> Result<Facts> {
    let survey = survey::survey(objects, tree)?;
    let files = files::Files::new(objects, tree);
    let (manifests, named) = manifest::read(&files, &survey.manifests)?;
    let frameworks = frameworks::frameworks(&manifests);
    let entry_points = entry::entry_points(&files, &survey.starts, &manifests, named)?;
    Ok(Facts { manifests, frameworks, entry_points })
}
