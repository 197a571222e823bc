//! A command of the user's on a tree, in the sandbox: a scanner that is run again.

use std::path::{Path, PathBuf};

use guardhost_core::change::Tree;
use guardhost_core::error::Result;
use serde::{Deserialize, Serialize};

use super::job::{FinishedJob, ProjectTool, ToolJob};
use super::job_context::JobContext;
use super::job_dirs::BuildCache;
use super::machine::prefix;
use super::projects::ProjectFiles;
use super::report::{NotRun, ToolReport, output_tail};
use super::request::{Keep, ToolchainRequest};
use super::sandbox::{ReportFrom, SandboxLimits};
use super::{Toolchain, ToolchainFailure};

/// What a command came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandReport {
    /// Why it was not run or did not end by itself.
    pub not_run: Option<String>,
    pub code: u8,
    /// Standard output alone.
    pub output: String,
    /// The folder that the tree lay in: programs print absolute paths.
    pub root: PathBuf,
}

/// The shell that reads the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shell;

impl ProjectTool for Shell {
    fn name(&self) -> &str {
        "command"
    }
}

impl ToolReport for CommandReport {
    type Tool = Shell;

    fn read(finished: &FinishedJob<Shell>) -> Self {
        let root = finished.tree.to_path_buf();
        match &finished.exit.records {
            Ok(lines) => CommandReport { not_run: None, code: finished.exit.code, output: lines.join("\n"), root },
            Err(why) => CommandReport { not_run: Some(why.clone()), root, ..CommandReport::default() },
        }
    }

    fn without_result(_: Shell, _: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let why = not_run.map_or_else(|| output_tail(output), |not_run| not_run.why().to_owned());
        CommandReport { not_run: Some(why), ..CommandReport::default() }
    }

    fn is_complete(&self) -> bool {
        self.not_run.is_none()
    }

    /// Its output is data for the host, which knows the root.
    fn texts_mut(&mut self) -> Vec<&mut String> {
        Vec::new()
    }
}

impl Toolchain {
    /// Runs `command` with `sh -c` in the root of a tree. It sees the programs of the search path, and no network.
    ///
    /// # Errors
    /// When the sandbox cannot be set up or left.
    pub fn command(
        &self,
        tree: &Tree,
        command: &str,
        limits: &SandboxLimits,
    ) -> Result<Result<CommandReport, ToolchainFailure>> {
        let files = ProjectFiles { objects: &*tree.objects, tree: tree.oid };
        let workdir = self.setup.workdir.as_deref();
        let context = JobContext { machine: &self.machine, files, sides: vec![tree.oid], workdir };
        let shell = self.machine.find("sh").unwrap_or_else(|| Path::new("/bin/sh").to_path_buf());
        // A program may read what is installed beside it: its libraries, its virtual environment.
        let installed = command.split_whitespace().filter_map(|word| prefix(&self.machine.find(word)?));
        let reads = installed.filter(|folder| self.machine.may_be_read(folder)).collect();
        let version = (shell.clone(), ["-c", "exit 0"].map(str::to_owned).into());
        let job = ToolJob {
            args: ["-c", command].map(str::to_owned).into(),
            report: ReportFrom::Stdout,
            version,
            install: "the shell does not start".to_owned(),
            reads,
            ..ToolJob::new(Shell, "", shell)
        };
        let request = ToolchainRequest { context: &context, keep: Keep::No, build_cache: BuildCache::Copy, limits };
        let reports = self.run_jobs::<CommandReport>(vec![Ok(job)], &request)?;
        Ok(reports.map(|mut reports| reports.pop().unwrap_or_default()))
    }
}
