//! The same on systems without a sandbox: every job is answered with the reason why it is not run.

use super::job::ToolJob;
use super::report::ToolReport;
use super::request::ToolchainRequest;
use super::{Toolchain, ToolchainFailure};
use guardhost_core::error::Result;

#[derive(Default)]
pub struct Executor;

impl Executor {
    pub fn run<R: ToolReport>(
        &mut self,
        toolchain: &Toolchain,
        _: &ToolJob<R::Tool>,
        _: &ToolchainRequest,
    ) -> Result<Result<R, ToolchainFailure>> {
        match toolchain.find_sandbox() {
            Err(why) => Ok(Err(ToolchainFailure::Unavailable(why))),
            // No value of this type can be made.
            Ok(sandbox) => match sandbox.0 {},
        }
    }

    /// Nothing was run.
    pub fn warning(&self) -> Option<&'static str> {
        None
    }
}
