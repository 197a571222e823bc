//! A hunk that does not fit.

/// Why it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisfitKind {
    Ambiguous,
    NoContext,
    NotFound,
    Overlap,
    TooRepetitive,
}

impl MisfitKind {
    /// The `code` of [`guardhost_core::change::MisfitAt`].
    pub fn code(self) -> &'static str {
        match self {
            MisfitKind::Ambiguous => "ambiguous",
            MisfitKind::NoContext => "no-context",
            MisfitKind::NotFound => "not-found",
            MisfitKind::Overlap => "overlap",
            MisfitKind::TooRepetitive => "too-repetitive",
        }
    }
}

/// `hunk` counts from 1 in its section; `message` is that of [`guardhost_core::change::MisfitAt`].
pub struct HunkMisfit {
    pub hunk: usize,
    pub kind: MisfitKind,
    pub message: String,
}

impl HunkMisfit {
    pub fn new(hunk: usize, kind: MisfitKind, message: impl Into<String>) -> Self {
        HunkMisfit { hunk, kind, message: message.into() }
    }
}
