//! Python has no build; its compiler still says whether a touched module would import at all.

use crate::bench::Bench;
use crate::job::{Done, Job, Missing};
use crate::projects::{Project, join};
use crate::python;
use crate::report::{BuildReport, Diagnostic};
use guardhost_core::error::Result;

pub const NAME: &str = "python";

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

/// Modules at once; a change that touches more is checked in these.
const MOST: usize = 2_000;

#[derive(serde::Deserialize)]
struct Line {
    path: String,
    line: Option<u32>,
    message: String,
}

pub fn job(bench: &Bench, project: &Project, touched: &[String]) -> Result<Option<Result<Job, Missing>>> {
    let mut modules = Vec::new();
    for path in touched.iter().filter(|path| path.ends_with(".py")) {
        let below =
            if project.folder.is_empty() { Some(path.as_str()) } else { path.strip_prefix(&join(&project.folder, "")) };
        let Some(below) = below else { continue };
        if bench.files.has("", path)? {
            modules.push(below.to_owned());
        }
    }
    if modules.is_empty() {
        return Ok(None);
    }
    modules.truncate(MOST);
    Ok(Some(python::job(bench, NAME, project)?.map(|mut job| {
        job.args = ["-I", "-c", SCRIPT].map(str::to_owned).into_iter().chain(modules).collect();
        job.version = (job.program.clone(), vec!["--version".to_owned()]);
        job.install = format!("{} does not start", job.program.display());
        job
    })))
}

pub fn read(done: &Done) -> BuildReport {
    let text = done.text();
    let told = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let diagnostic = |line: Line| Diagnostic { path: done.path(&line.path), line: line.line, message: line.message };
    let diagnostics: Vec<Diagnostic> = told.map(diagnostic).collect();
    let ok = done.ended.code == 0 && diagnostics.is_empty();
    BuildReport::of(NAME, &done.job.project, ok, diagnostics, &done.ended.output)
}
