//! `tsc --noEmit`, of the project's own TypeScript.

use super::{BuildTool, PlannedBuild};
use crate::job::{FinishedJob, ProjectTool};
use crate::job_context::JobContext;
use crate::node;
use crate::projects::Project;
use crate::report::{BuildReport, Diagnostic};
use guard_files::relative::above;
use guardhost_core::error::Result;

pub const CONCERNED: [&str; 7] = [".ts", ".tsx", ".mts", ".cts", "package.json", "tsconfig.json", ".vue"];

/// The nearest `tsconfig.json` at or above the project's manifest; without one TypeScript is not built here.
pub fn job(context: &JobContext, project: &Project) -> Result<Option<PlannedBuild>> {
    for folder in above(&project.folder) {
        if context.files.has(folder, "tsconfig.json")? {
            return Ok(Some(in_folder(context, folder)));
        }
    }
    Ok(None)
}

fn in_folder(context: &JobContext, folder: &str) -> PlannedBuild {
    let mut job = node::base(context, BuildTool::Tsc, folder)?;
    node::installed(context, &mut job, folder, BuildTool::Tsc.name())?;
    job.args.extend(["--noEmit", "--pretty", "false", "-p", "."].map(str::to_owned));
    Ok(job)
}

pub fn read(finished: &FinishedJob<BuildTool>) -> BuildReport {
    let text = finished.text();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for line in text.lines() {
        match diagnostic(finished, line) {
            Some(diagnostic) => diagnostics.push(diagnostic),
            // Indented lines belong to the error above.
            None if line.starts_with(' ') => {
                if let Some(last) = diagnostics.last_mut() {
                    last.message.push('\n');
                    last.message.push_str(line);
                }
            }
            None => {}
        }
    }
    BuildReport::new(
        finished.job.tool.name(),
        &finished.job.project,
        finished.exit.code == 0,
        diagnostics,
        &finished.exit.output,
    )
}

/// `src/a.ts(3,5): error TS2322: …`, or `error TS18003: …` without a place.
fn diagnostic(finished: &FinishedJob<BuildTool>, line: &str) -> Option<Diagnostic> {
    if line.starts_with("error TS") {
        return Some(Diagnostic { path: None, line: None, message: line.to_owned() });
    }
    let (place, message) = line.split_once("): error TS")?;
    let (path, at) = place.rsplit_once('(')?;
    let number = at.split(',').next()?.parse().ok();
    Some(Diagnostic { path: finished.path(path), line: number, message: format!("TS{message}") })
}
