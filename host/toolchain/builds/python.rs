//! Python has no build; its compiler still tells whether a touched module can be imported at all.

use super::{BuildTool, PlannedBuild};
use crate::job::{FinishedJob, ProjectTool};
use crate::job_context::JobContext;
use crate::projects::{Project, join};
use crate::python;
use crate::report::{BuildReport, Diagnostic};
use guardhost_core::error::Result;

/// As `py_compile` does, without writing; one line an error.
const SCRIPT: &str = "
import json, sys
for path in sys.argv[1:]:
    try:
        with open(path, 'rb') as file:
            compile(file.read(), path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        print(json.dumps({'path': path, 'line': getattr(error, 'lineno', None), 'message': getattr(error, 'msg', None) or str(error)}))
";

/// Modules that are compiled; of a change that touches more, the first.
const MOST: usize = 2_000;

#[derive(serde::Deserialize)]
struct PythonProblem {
    path: String,
    line: Option<u32>,
    message: String,
}

pub fn job(context: &JobContext, project: &Project, touched: &[String]) -> Result<Option<PlannedBuild>> {
    let mut modules = Vec::new();
    for path in touched.iter().filter(|path| path.ends_with(".py")) {
        let below =
            if project.folder.is_empty() { Some(path.as_str()) } else { path.strip_prefix(&join(&project.folder, "")) };
        let Some(below) = below else { continue };
        if context.files.has("", path)? {
            modules.push(below.to_owned());
        }
    }
    if modules.is_empty() {
        return Ok(None);
    }
    modules.truncate(MOST);
    Ok(Some(python::job(context, BuildTool::Python, project)?.map(|mut job| {
        job.args = ["-I", "-c", SCRIPT].map(str::to_owned).into_iter().chain(modules).collect();
        job.version = (job.program.clone(), vec!["--version".to_owned()]);
        job.install = format!("{} does not start", job.program.display());
        job
    })))
}

pub fn read(finished: &FinishedJob<BuildTool>) -> BuildReport {
    let text = finished.text();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<PythonProblem>(line).ok());
    let diagnostic =
        |line: PythonProblem| Diagnostic { path: finished.path(&line.path), line: line.line, message: line.message };
    let diagnostics: Vec<Diagnostic> = lines.map(diagnostic).collect();
    let ok = finished.exit.code == 0 && diagnostics.is_empty();
    BuildReport::new(finished.job.tool.name(), &finished.job.project, ok, diagnostics, &finished.exit.output)
}
