//! How a linter is started: the project's own, wherever it is installed.

use std::path::PathBuf;

use super::Linter;
use super::detect::LinterAt;
use crate::installed_packages::virtual_env;
use crate::job::{MissingTool, ToolJob};
use crate::job_context::JobContext;
use crate::machine::prefix;
use crate::projects::join;
use crate::python::environment_of;
use crate::runners::configured::VERSION;
use crate::sandbox::ReportFrom;
use guard_files::relative::above;

pub fn job(context: &JobContext, (linter, folder): &LinterAt) -> Result<ToolJob<Linter>, MissingTool<Linter>> {
    let tool = Linter(linter.clone());
    let home = Installed::find(context, folder);
    let Some(found) = home.program(context, &linter.program) else {
        return Err(MissingTool::not_installed(tool, folder, format!("{} is not installed", linter.program)));
    };
    let readable = |folder: &PathBuf| context.machine.may_be_read(folder);
    let mut reads: Vec<PathBuf> =
        home.environment.iter().chain(home.modules.iter().map(|(_, modules)| modules)).cloned().collect();
    reads.extend([environment_of(&found), prefix(&found)].into_iter().flatten().filter(readable));
    // A virtual environment links to the interpreter that it was made from.
    let python = home.environment.as_ref().map(|folder| folder.join("bin/python"));
    reads.extend(python.as_deref().and_then(prefix).filter(readable));
    let is_stdout = !linter.command.contains("{report}");
    Ok(ToolJob {
        args: vec!["-c".to_owned(), linter.command.clone()],
        report: if is_stdout { ReportFrom::Stdout } else { ReportFrom::Descriptor },
        env: vec![("PATH", home.search_path(context)), ("PYTHONDONTWRITEBYTECODE", "1".to_owned())],
        version: ("/bin/sh".into(), vec!["-c".to_owned(), VERSION.to_owned(), found.display().to_string()]),
        install: format!("{} does not start", linter.program),
        reads,
        ..ToolJob::new(tool, folder, "/bin/sh".into())
    })
}

/// Where a project's packages are in the user's work tree.
struct Installed {
    environment: Option<PathBuf>,
    /// `node_modules`, nearest first, with the folders that hold them.
    modules: Vec<(String, PathBuf)>,
}

impl Installed {
    fn find(context: &JobContext, folder: &str) -> Self {
        let environment = virtual_env(context, folder);
        let modules = |folder: &str| Some((folder.to_owned(), context.installed(&join(folder, "node_modules"))?));
        Installed { environment, modules: above(folder).filter_map(modules).collect() }
    }

    fn program(&self, context: &JobContext, name: &str) -> Option<PathBuf> {
        let own = self.environment.iter().map(|folder| folder.join("bin"));
        let own = own.chain(self.modules.iter().map(|(_, modules)| modules.join(".bin")));
        own.map(|folder| folder.join(name)).find(|program| program.exists()).or_else(|| context.machine.find(name))
    }

    /// What is installed for the project goes before what the machine has. The work tree of the job links to the user's `node_modules`.
    fn search_path(&self, context: &JobContext) -> String {
        let environment = self.environment.iter().map(|folder| folder.join("bin").display().to_string());
        let modules = self.modules.iter().map(|(folder, _)| format!("{{tree}}/{}", join(folder, "node_modules/.bin")));
        let machine = context.machine.search_path().map(|path| path.to_string_lossy().into_owned());
        environment.chain(modules).chain(machine).collect::<Vec<_>>().join(":")
    }
}
