//! `go vet`, which type-checks packages and their tests, and reports what `go test` would refuse to run.

use super::{BuildTool, PlannedBuild};
use crate::job::{FinishedJob, MissingTool, ProjectTool, ToolJob};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{BuildReport, Diagnostic};

/// Go without the network. Its build folder is kept between runs.
pub fn base<T>(context: &JobContext, tool: T, project: &Project) -> Result<ToolJob<T>, MissingTool<T>> {
    let Some(program) = context.machine.find("go") else {
        return Err(MissingTool::not_installed(tool, &project.folder, "go is not installed"));
    };
    let env = [("GOCACHE", "{built}"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local"), ("GOFLAGS", "-mod=readonly")];
    let env = env.map(|(name, value)| (name, value.to_owned())).into();
    let reads = crate::machine::prefix(&program).into_iter().collect();
    let install = "go does not start".to_owned();
    let version = (program.clone(), vec!["version".to_owned()]);
    Ok(ToolJob { env, reads, version, install, ..ToolJob::new(tool, &project.folder, program) })
}

pub fn job(context: &JobContext, project: &Project) -> PlannedBuild {
    let mut job = base(context, BuildTool::Go, project)?;
    job.args = ["vet", "./..."].map(str::to_owned).into();
    Ok(job)
}

pub fn read(finished: &FinishedJob<BuildTool>) -> BuildReport {
    let text = finished.text();
    let diagnostics = text.lines().filter_map(|line| diagnostic(finished, line)).collect();
    BuildReport::new(
        finished.job.tool.name(),
        &finished.job.project,
        finished.exit.code == 0,
        diagnostics,
        &finished.exit.output,
    )
}

/// `vet: ./a.go:3:5: undefined: x`, `./a.go:3:5: undefined: x`, `a.go:3: …`.
fn diagnostic(finished: &FinishedJob<BuildTool>, line: &str) -> Option<Diagnostic> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let (path, rest) = line.split_once(".go:")?;
    let (number, message) = rest.split_once(':')?;
    let message = message.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(':').trim();
    Some(Diagnostic {
        path: finished.path(&format!("{path}.go")),
        line: number.parse().ok(),
        message: message.to_owned(),
    })
}
