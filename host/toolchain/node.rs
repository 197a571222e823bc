//! Node itself, and the programs of `node_modules`.

use super::bench::Bench;
use super::job::{Job, Missing};
use super::machine::prefix;
use super::projects::{join, upwards};

/// A job that runs Node; its arguments are missing yet.
pub fn base(bench: &Bench, tool: &'static str, folder: &str) -> Result<Job, Missing> {
    let project = folder.to_owned();
    let Some(program) = bench.machine.find("node") else {
        return Err(Missing { tool, project, why: "Node.js is not installed".to_owned() });
    };
    let reads = prefix(&program).into_iter().collect();
    let install = "Node.js does not start".to_owned();
    let version = (program.clone(), vec!["--version".to_owned()]);
    Ok(Job { tool, project, program, reads, version, install, ..Job::default() })
}

/// Makes the job start a program of the user's `node_modules`, nearest first.
pub fn installed(bench: &Bench, job: &mut Job, folder: &str, name: &str) -> Result<(), Missing> {
    let missing = |why: String| Missing { tool: job.tool, project: folder.to_owned(), why };
    let Some(workdir) = bench.workdir else {
        return Err(missing(format!("{name} is not installed: a bare repository has no node_modules")));
    };
    let found = upwards(folder).find(|folder| workdir.join(folder).join("node_modules/.bin").join(name).exists());
    let found =
        found.ok_or_else(|| missing(format!("{name} is not in node_modules: install the project's packages")))?;
    job.args = vec![format!("{{tree}}/{}", join(found, &format!("node_modules/.bin/{name}")))];
    Ok(())
}
