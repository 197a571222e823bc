//! Jobs that run Python.

use std::path::{Path, PathBuf};

use super::installed_packages::virtual_env;
use super::job::{MissingTool, ToolJob};
use super::job_context::JobContext;
use super::machine::prefix;
use super::projects::{Project, join};
use guardhost_core::error::Result;

/// A job that runs Python, without arguments yet.
pub fn job<T>(context: &JobContext, tool: T, project: &Project) -> Result<Result<ToolJob<T>, MissingTool<T>>> {
    let environment = virtual_env(context, &project.folder);
    let in_environment = environment.as_ref().map(|folder| folder.join("bin/python"));
    let found =
        in_environment.or_else(|| ["python3", "python"].into_iter().find_map(|name| context.machine.find(name)));
    let Some(program) = found else {
        return Ok(Err(MissingTool::not_installed(tool, &project.folder, "Python is not installed")));
    };
    let active = environment_of(&program);
    let granted = prefix(&program).filter(|folder| context.machine.may_be_read(folder));
    let reads = environment.into_iter().chain(active).chain(granted).collect();
    let env = vec![("PYTHONDONTWRITEBYTECODE", "1".to_owned()), ("PYTHONHASHSEED", "0".to_owned())];
    Ok(Ok(ToolJob { env, reads, ..ToolJob::new(tool, &project.folder, program) }))
}

/// The virtual environment that a program belongs to.
pub fn environment_of(program: &Path) -> Option<PathBuf> {
    let folder = program.parent().and_then(Path::parent).filter(|folder| folder.join("pyvenv.cfg").is_file());
    folder.map(Path::to_path_buf)
}

/// Where the project's modules are: folders of the work tree, separated as in PATH. An editable installation leads to the user's work tree, which the sandbox hides; these folders are
/// searched before it.
pub fn search_path(context: &JobContext, project: &Project) -> Result<String> {
    let mut path = vec![join("{tree}", &project.folder).trim_end_matches('/').to_owned()];
    if context.files.has_folder(&join(&project.folder, "src"))? {
        path.insert(0, format!("{}/src", path[0]));
    }
    Ok(path.join(":"))
}
