//! What the jobs of one question share.

use super::job_context::JobContext;
use super::job_dirs::BuildCache;
use super::sandbox::SandboxLimits;

/// Of the guards, or of a command that wants a build, tests or a scanner.
pub struct ToolchainRequest<'a> {
    pub context: &'a JobContext<'a>,
    /// The tree is the base, whose reports are kept.
    pub of_base: bool,
    pub build_cache: BuildCache,
    pub limits: &'a SandboxLimits,
}
