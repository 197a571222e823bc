//! Jobs that run Node.js, or a program of `node_modules`.

use super::job::{MissingTool, ToolJob};
use super::job_context::JobContext;
use super::machine::prefix;
use super::projects::join;
use guard_files::relative::above;

/// A job that runs Node.js, without arguments yet.
pub fn base<T>(context: &JobContext, tool: T, folder: &str) -> Result<ToolJob<T>, MissingTool<T>> {
    let Some(program) = context.machine.find("node") else {
        return Err(MissingTool::not_installed(tool, folder, "Node.js is not installed"));
    };
    let reads = prefix(&program).into_iter().collect();
    let install = "Node.js does not start".to_owned();
    let version = (program.clone(), vec!["--version".to_owned()]);
    Ok(ToolJob { reads, version, install, ..ToolJob::new(tool, folder, program) })
}

/// Makes the job run a program of the nearest `node_modules` that has it, in the user's work tree or among the files of the job's own.
pub fn installed<T: Clone>(
    context: &JobContext,
    job: &mut ToolJob<T>,
    folder: &str,
    name: &str,
) -> Result<(), MissingTool<T>> {
    let missing = |why: String| MissingTool::not_installed(job.tool.clone(), folder, why);
    if context.workdir.is_none() {
        return Err(missing(format!("{name} is not installed: a bare repository has no node_modules")));
    }
    let has_it = |folder: &&str| {
        let modules = context.installed(&join(folder, "node_modules"));
        let in_tree = || context.files.has(&join(folder, "node_modules/.bin"), name).unwrap_or(false);
        modules.is_some_and(|modules| modules.join(".bin").join(name).exists()) || in_tree()
    };
    let found = above(folder).find(has_it);
    let found =
        found.ok_or_else(|| missing(format!("{name} is not in node_modules: install the project's packages")))?;
    job.args = vec![format!("{{tree}}/{}", join(found, &format!("node_modules/.bin/{name}")))];
    Ok(())
}
