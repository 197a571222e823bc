//! What manifests declare. Whoever uses this imports `facts`.

pub use crate::bindings::guardhost::guard::facts::{Dependency, DependencyKind, Ecosystem, Language, Manifest};
use crate::{Side, Source};

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
