//! Runs jobs, one at a time, with what is made for the first of them and kept between the rounds of a run.

use super::job::{ProjectTool, ToolJob};
use super::job_run::{JobRun, Remembered, VersionCache};
use super::report::ToolReport;
use super::request::ToolchainRequest;
use super::sandbox::Sandbox;
use super::workspace::Workspace;
use super::{Toolchain, ToolchainFailure, runners};
use guardhost_core::error::Result;

#[derive(Default)]
pub struct Executor {
    sandbox: Option<Result<Sandbox, String>>,
    workspace: Option<Workspace>,
    versions: VersionCache,
    remembered: Remembered,
}

impl Executor {
    pub fn run<R: ToolReport>(
        &mut self,
        toolchain: &Toolchain,
        job: &ToolJob<R::Tool>,
        request: &ToolchainRequest,
    ) -> Result<Result<R, ToolchainFailure>> {
        let Toolchain { setup, machine, .. } = toolchain;
        let Executor { sandbox, workspace, versions, remembered } = self;
        let sandbox = match sandbox.get_or_insert_with(|| toolchain.find_sandbox()) {
            Ok(sandbox) => &*sandbox,
            Err(why) => return Ok(Err(ToolchainFailure::Unavailable(why.clone()))),
        };
        let Some(cache) = &setup.cache else {
            let why = "no cache folder to work in: set HOME or XDG_CACHE_HOME";
            return Ok(Err(ToolchainFailure::Unavailable(why.to_owned())));
        };
        // After an error its processes may still be there, so that the next job takes another.
        let taken = match workspace.take() {
            Some(workspace) => workspace,
            None => Workspace::take(cache, &setup.repository)?,
        };
        let dirs = taken.dirs(job.tool.name(), request.build_cache, &runners::REPORTERS)?;
        machine.prepare_cargo_home(&dirs)?;
        let run = JobRun { setup, request, sandbox, workspace: &taken, dirs, job };
        let report = run.report(versions, remembered)?;
        *workspace = Some(taken);
        Ok(report)
    }

    /// What to tell about the sandbox of the jobs so far: None when nothing is left to chance.
    pub fn warning(&self) -> Option<&'static str> {
        match self.sandbox.as_ref()?.as_ref().ok()? {
            Sandbox::Bubblewrap(_) | Sandbox::Landlock => None,
            weak @ Sandbox::LandlockOnly => weak.weakness(),
        }
    }
}
