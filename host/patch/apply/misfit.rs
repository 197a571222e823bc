//! One hunk that does not fit.

/// `hunk` counts from 1 in its section; `code` and `message` as in [`guardhost_core::change::MisfitAt`].
pub(super) struct HunkMisfit {
    pub hunk: usize,
    pub code: &'static str,
    pub message: String,
}

impl HunkMisfit {
    pub fn new(hunk: usize, code: &'static str, message: impl Into<String>) -> Self {
        HunkMisfit { hunk, code, message: message.into() }
    }
}
