//! The proof that a patch passed `sanitize`.

use guardhost_core::change::Patch;

/// A patch that `sanitize` let through: every path is inside the repository and outside `.git`, protected paths and sizes
/// were checked, no symlink is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanPatch(Patch);

impl CleanPatch {
    /// Private to this folder: whoever holds a `CleanPatch` got it from `sanitize`.
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
