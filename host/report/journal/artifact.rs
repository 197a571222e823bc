//! What is kept of a round, under which names, and for whose eyes.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use guardhost_core::error::{Fault, Kind};

pub const TRACE: &str = "trace.jsonl";

/// What is kept of a round, as bytes; its judgement is kept by [`Records::keep_judgement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Artifact {
    Prompt,
    /// As it came.
    Reply,
    /// The patch as it was found in the reply, as a unified diff.
    Extracted,
    /// The patch that may be placed.
    Sanitized,
    /// What was placed, as a git diff.
    FinalDiff,
    /// The same with the guards' own fixes, where they were tried.
    FixedDiff,
    /// What the next round was told.
    Feedback,
    /// The plan that a run of `--plan` follows; of round 0.
    Plan,
}

impl Artifact {
    /// The name of its file, in the folder of its round.
    pub fn file(self) -> &'static str {
        match self {
            Artifact::Prompt => "prompt.txt",
            Artifact::Reply => "reply.txt",
            Artifact::Extracted => "extracted.patch",
            Artifact::Sanitized => "sanitized.patch",
            Artifact::FinalDiff => "final.diff",
            Artifact::FixedDiff => "fixed.diff",
            Artifact::Feedback => "feedback.txt",
            Artifact::Plan => "plan.json",
        }
    }
}

pub fn private_dir() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

pub fn cannot_write(path: &Path, error: std::io::Error) -> guardhost_core::error::Error {
    Fault::new(Kind::Git, format!("cannot write the record {}: {error}", path.display()))
        .hint("records lie in the repository's git directory; look at its permissions and the free space")
        .into()
}
