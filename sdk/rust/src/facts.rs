//! What manifests declare. Whoever uses this imports `facts`.

pub use crate::bindings::guardhost::facts::facts::Language;
use crate::open::open_set;
use crate::{Side, Source};

/// What one manifest declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub path: String,
    pub ecosystem: Ecosystem,
    /// The package's own name; None for a manifest that names none.
    pub name: Option<String>,
    pub dependencies: Vec<Dependency>,
    /// Names of those that come, or may come, from somewhere else than the ecosystem's registry. Sorted.
    pub elsewhere: Vec<String>,
    /// Set when the file could not be parsed: what it holds is then unknown, not empty.
    pub problem: Option<String>,
}

/// What a manifest declares that it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependency {
    /// As the manifest spells it.
    pub name: String,
    /// The requirement as written; empty when there is none.
    pub requirement: String,
    pub kind: DependencyKind,
}

open_set! {
    /// Whose manifest it is.
    Ecosystem {
        Cargo = "cargo", Npm = "npm", Python = "python", Go = "go", Ruby = "ruby", Php = "php", Maven = "maven", Gradle = "gradle",
    }
}

open_set! {
    /// What a dependency is needed for.
    DependencyKind { Normal = "normal", Dev = "dev", Build = "build", Peer = "peer", Optional = "optional" }
}

/// What the manifests of one side declare, computed by the host from the tree itself.
#[derive(Clone, Copy)]
pub struct Facts<'c> {
    source: &'c Source,
    side: Side,
}

impl<'c> Facts<'c> {
    pub(crate) fn new(source: &'c Source, side: Side) -> Self {
        Facts { source, side }
    }

    /// Manifests of every directory, sorted by path.
    pub fn manifests(&self) -> Vec<Manifest> {
        self.source.manifests(self.side)
    }

    /// By number of files, most first.
    pub fn languages(&self) -> Vec<Language> {
        self.source.languages(self.side)
    }

    /// Canonical ids of the frameworks that the manifests declare, sorted.
    pub fn frameworks(&self) -> Vec<String> {
        self.source.frameworks(self.side)
    }

    /// Files that start the program, sorted.
    pub fn entry_points(&self) -> Vec<String> {
        self.source.entry_points(self.side)
    }
}
