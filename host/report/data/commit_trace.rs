//! Which lines of a commit a model wrote, as far as a run recorded it.

use guardhost_core::change::RepoPath;

/// A commit that a run made, with who wrote its lines.
#[derive(Debug, Clone)]
pub struct CommitTrace {
    /// The id of the recorded change, a UUID: the same whenever it is shown.
    pub id: String,
    /// When the change was recorded: RFC 3339 in UTC.
    pub recorded_at: String,
    /// Hex.
    pub commit: String,
    pub writer: TracedWriter,
    /// Those with lines that the commit brings, in the order of the commit.
    pub files: Vec<TracedFile>,
}

/// Who wrote a recorded change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TracedWriter {
    Model {
        provider: String,
        /// None where the provider did not name it.
        model: Option<String>,
    },
    /// The record does not say.
    Unknown,
}

#[derive(Debug, Clone)]
pub struct TracedFile {
    /// After the change.
    pub path: RepoPath,
    /// Whether a guard's own fix edited it after the model did: then no line is the model's alone.
    pub is_fixed: bool,
    /// From top to bottom; none overlaps another.
    pub ranges: Vec<TracedRange>,
}

/// Lines that stand in the commit and did not in its base, from 1, the last included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedRange {
    pub first: usize,
    pub last: usize,
    /// `sha256:` and the digest, in hex, of the lines with their ends.
    pub digest: String,
}
