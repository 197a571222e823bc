//! Jobs that run Python, with the search path that finds a project's modules in the work tree and not where they are installed.

use std::path::Path;

use super::installed_packages::virtual_env;
use super::job::{Job, MissingTool};
use super::job_context::JobContext;
use super::machine::prefix;
use super::projects::{Project, join};
use guardhost_core::error::Result;

/// A job that runs Python, without arguments yet.
pub fn job(context: &JobContext, tool: &'static str, project: &Project) -> Result<Result<Job, MissingTool>> {
    let environment = virtual_env(context.workdir, Path::new(&project.folder), context.machine.folder("VIRTUAL_ENV"));
    let in_environment = environment.as_ref().map(|folder| folder.join("bin/python"));
    let found =
        in_environment.or_else(|| ["python3", "python"].into_iter().find_map(|name| context.machine.find(name)));
    let Some(program) = found else {
        let why = "Python is not installed".to_owned();
        return Ok(Err(MissingTool { tool, project: project.folder.clone(), why }));
    };
    // An editable installation leads to the user's work tree, which the sandbox hides; PYTHONPATH is searched before it.
    let mut path = vec![join("{tree}", &project.folder).trim_end_matches('/').to_owned()];
    if context.files.has_folder(&join(&project.folder, "src"))? {
        path.insert(0, format!("{}/src", path[0]));
    }
    let env = vec![
        ("PYTHONPATH", path.join(":")),
        ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ("PYTHONHASHSEED", "0".to_owned()),
    ];
    let active = program.parent().and_then(Path::parent).filter(|folder| folder.join("pyvenv.cfg").is_file());
    let reads = environment.into_iter().chain(active.map(Path::to_path_buf)).chain(prefix(&program)).collect();
    Ok(Ok(Job { tool, project: project.folder.clone(), program, env, reads, ..Job::default() }))
}
