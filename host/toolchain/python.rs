//! The interpreter, and what it needs to find a project's modules in the work tree instead of where they are installed.

use std::path::Path;

use super::bench::Bench;
use super::job::{Job, Missing};
use super::links::virtual_env;
use super::machine::prefix;
use super::projects::{Project, join};
use guardhost_core::error::Result;

/// A job that runs Python; its arguments are missing yet.
pub fn job(bench: &Bench, tool: &'static str, project: &Project) -> Result<Result<Job, Missing>> {
    let environment = virtual_env(bench.workdir, Path::new(&project.folder), bench.machine.folder("VIRTUAL_ENV"));
    let in_environment = environment.as_ref().map(|folder| folder.join("bin/python"));
    let found = in_environment.or_else(|| ["python3", "python"].into_iter().find_map(|name| bench.machine.find(name)));
    let Some(program) = found else {
        let why = "Python is not installed".to_owned();
        return Ok(Err(Missing { tool, project: project.folder.clone(), why }));
    };
    // An editable installation leads to the user's work tree, which is out of sight; the search path comes before it.
    let mut path = vec![join("{tree}", &project.folder).trim_end_matches('/').to_owned()];
    if bench.files.has_folder(&join(&project.folder, "src"))? {
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
