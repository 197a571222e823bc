//! `go vet`, which type-checks packages and their tests, and says what `go test` would refuse to run.

use crate::bench::Bench;
use crate::job::{Done, Job, Missing};
use crate::projects::Project;
use crate::report::{BuildReport, Diagnostic};

pub const NAME: &str = "go";

/// Go without the network, building into a folder that is kept.
pub fn base(bench: &Bench, tool: &'static str, project: &Project) -> Result<Job, Missing> {
    let folder = project.folder.clone();
    let Some(program) = bench.machine.find("go") else {
        return Err(Missing { tool, project: folder, why: "go is not installed".to_owned() });
    };
    let env = [("GOCACHE", "{built}"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local"), ("GOFLAGS", "-mod=readonly")];
    let env = env.map(|(name, value)| (name, value.to_owned())).into();
    let reads = crate::machine::prefix(&program).into_iter().collect();
    let install = "go does not start".to_owned();
    let version = (program.clone(), vec!["version".to_owned()]);
    Ok(Job { tool, project: folder, program, env, reads, version, install, ..Job::default() })
}

pub fn job(bench: &Bench, project: &Project) -> Result<Job, Missing> {
    let mut job = base(bench, NAME, project)?;
    job.args = ["vet", "./..."].map(str::to_owned).into();
    Ok(job)
}

pub fn read(done: &Done) -> BuildReport {
    let text = done.text();
    let diagnostics = text.lines().filter_map(|line| diagnostic(done, line)).collect();
    BuildReport::of(NAME, &done.job.project, done.ended.code == 0, diagnostics, &done.ended.output)
}

/// `vet: ./a.go:3:5: undefined: x`, `./a.go:3:5: undefined: x`, `a.go:3: …`.
fn diagnostic(done: &Done, line: &str) -> Option<Diagnostic> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let (path, rest) = line.split_once(".go:")?;
    let (number, message) = rest.split_once(':')?;
    let message = message.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(':').trim();
    Some(Diagnostic { path: done.path(&format!("{path}.go")), line: number.parse().ok(), message: message.to_owned() })
}
