//! The type that only `sanitize` can make.

use guardhost_core::change::Patch;

/// A patch that passed `sanitize`: every path is inside the repository and outside `.git`, protected paths and sizes are
/// checked, and no path leads through a symbolic link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanPatch(Patch);

impl CleanPatch {
    /// Private to this folder, so that every `CleanPatch` comes from `sanitize`.
    pub(super) fn new(patch: Patch) -> Self {
        CleanPatch(patch)
    }

    pub fn patch(&self) -> &Patch {
        &self.0
    }

    pub fn into_patch(self) -> Patch {
        self.0
    }
}
