//! The builds, one file a tool: how it is started and how its errors are read.

pub mod cargo;
pub mod go;
mod python;
mod tsc;

use super::job::{FinishedJob, MissingTool, ProjectTool, ToolJob};
use super::job_context::JobContext;
use super::projects::{Project, ProjectKind};
use super::report::{BuildReport, NotRun, ToolReport, output_tail};
use guardhost_core::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildTool {
    Cargo,
    Go,
    Python,
    Tsc,
}

impl ProjectTool for BuildTool {
    fn name(&self) -> &str {
        match self {
            BuildTool::Cargo => "cargo",
            BuildTool::Go => "go",
            BuildTool::Python => "python",
            BuildTool::Tsc => "tsc",
        }
    }
}

type PlannedBuild = Result<ToolJob<BuildTool>, MissingTool<BuildTool>>;

/// The job that builds a project; None when it has no build, or when no touched file belongs to it. `touched` are paths of the repository.
pub fn job(context: &JobContext, project: &Project, touched: &[String]) -> Result<Option<PlannedBuild>> {
    let concerns = |endings: &[&str]| touched.iter().any(|path| endings.iter().any(|ending| path.ends_with(ending)));
    Ok(match project.language {
        ProjectKind::Cargo if concerns(&[".rs", "Cargo.toml", "Cargo.lock"]) => Some(cargo::job(context, project)),
        ProjectKind::Go if concerns(&[".go", "go.mod", "go.sum", "go.work"]) => Some(go::job(context, project)),
        ProjectKind::Node if concerns(&tsc::CONCERNED) => tsc::job(context, project)?,
        ProjectKind::Python if concerns(&[".py"]) => python::job(context, project, touched)?,
        _ => None,
    })
}

impl ToolReport for BuildReport {
    type Tool = BuildTool;

    fn read(finished: &FinishedJob<BuildTool>) -> Self {
        match finished.job.tool {
            BuildTool::Cargo => cargo::read(finished),
            BuildTool::Go => go::read(finished),
            BuildTool::Python => python::read(finished),
            BuildTool::Tsc => tsc::read(finished),
        }
    }

    fn without_result(tool: BuildTool, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let (tool, project) = (tool.name().to_owned(), project.to_owned());
        BuildReport { tool, project, not_run, output: output_tail(output), ..BuildReport::default() }
    }

    fn is_complete(&self) -> bool {
        self.not_run.is_none() && (self.ok || !self.diagnostics.is_empty())
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.diagnostics.iter_mut().map(|found| &mut found.message).chain([&mut self.output]).collect()
    }
}
