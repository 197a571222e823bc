//! `go vet`, which type-checks packages and their tests, and reports what `go test` would refuse to run.

use crate::job::{FinishedJob, Job, MissingTool};
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{BuildReport, Diagnostic};

pub const NAME: &str = "go";

/// Go without the network. Its build folder is kept between runs.
pub fn base(context: &JobContext, tool: &'static str, project: &Project) -> Result<Job, MissingTool> {
    let folder = project.folder.clone();
    let Some(program) = context.machine.find("go") else {
        return Err(MissingTool { tool, project: folder, why: "go is not installed".to_owned() });
    };
    let env = [("GOCACHE", "{built}"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local"), ("GOFLAGS", "-mod=readonly")];
    let env = env.map(|(name, value)| (name, value.to_owned())).into();
    let reads = crate::machine::prefix(&program).into_iter().collect();
    let install = "go does not start".to_owned();
    let version = (program.clone(), vec!["version".to_owned()]);
    Ok(Job { tool, project: folder, program, env, reads, version, install, ..Job::default() })
}

pub fn job(context: &JobContext, project: &Project) -> Result<Job, MissingTool> {
    let mut job = base(context, NAME, project)?;
    job.args = ["vet", "./..."].map(str::to_owned).into();
    Ok(job)
}

pub fn read(finished: &FinishedJob) -> BuildReport {
    let text = finished.text();
    let diagnostics = text.lines().filter_map(|line| diagnostic(finished, line)).collect();
    BuildReport::new(NAME, &finished.job.project, finished.exit.code == 0, diagnostics, &finished.exit.output)
}

/// `vet: ./a.go:3:5: undefined: x`, `./a.go:3:5: undefined: x`, `a.go:3: …`.
fn diagnostic(finished: &FinishedJob, line: &str) -> Option<Diagnostic> {
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
