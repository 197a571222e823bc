//! What the jobs of one question share.

use guardhost_core::change::RepoPath;

use super::job_context::JobContext;
use super::job_dirs::BuildCache;
use super::sandbox::SandboxLimits;

/// Of the guards, or of a command that wants a build, tests or a scanner.
pub struct ToolchainRequest<'a> {
    pub context: &'a JobContext<'a>,
    /// How long a report is kept.
    pub keep: Keep,
    pub build_cache: BuildCache,
    pub limits: &'a SandboxLimits,
}

/// How long a report is kept, by all that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// With the repository: the tree is the base.
    OnDisk,
    /// For the guards of one judgement, which ask the same of a candidate one after the other.
    InMemory,
    /// Not at all: a repetition shall show whether the result is the same.
    No,
}

/// Which tests are run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSelection {
    /// The repository's paths of files with tests; all tests when there are none.
    pub paths: Vec<String>,
    /// The run may end at the first test that fails.
    pub until_failure: bool,
}

/// A file that does not stand in a tree as that tree has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub path: RepoPath,
    pub by: Replacement,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// As the other side has it; not at all if that side has none.
    AsOtherSide,
    Content(Vec<u8>),
}
