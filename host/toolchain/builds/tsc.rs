//! `tsc --noEmit`, of the project's own TypeScript.

use crate::bench::Bench;
use crate::job::{Done, Job, Missing};
use crate::node;
use crate::projects::{Project, upwards};
use crate::report::{BuildReport, Diagnostic};
use guardhost_core::error::Result;

pub const NAME: &str = "tsc";

pub const CONCERNED: [&str; 7] = [".ts", ".tsx", ".mts", ".cts", "package.json", "tsconfig.json", ".vue"];

/// The nearest `tsconfig.json` at or above the project's manifest; without one TypeScript is not built here.
pub fn job(bench: &Bench, project: &Project) -> Result<Option<Result<Job, Missing>>> {
    for folder in upwards(&project.folder) {
        if bench.files.has(folder, "tsconfig.json")? {
            return Ok(Some(in_folder(bench, folder)));
        }
    }
    Ok(None)
}

fn in_folder(bench: &Bench, folder: &str) -> Result<Job, Missing> {
    let mut job = node::base(bench, NAME, folder)?;
    node::installed(bench, &mut job, folder, NAME)?;
    job.args.extend(["--noEmit", "--pretty", "false", "-p", "."].map(str::to_owned));
    Ok(job)
}

pub fn read(done: &Done) -> BuildReport {
    let text = done.text();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for line in text.lines() {
        match diagnostic(done, line) {
            Some(diagnostic) => diagnostics.push(diagnostic),
            // What follows, indented, belongs to the error above.
            None if line.starts_with(' ') => {
                if let Some(last) = diagnostics.last_mut() {
                    last.message.push('\n');
                    last.message.push_str(line);
                }
            }
            None => {}
        }
    }
    BuildReport::of(NAME, &done.job.project, done.ended.code == 0, diagnostics, &done.ended.output)
}

/// `src/a.ts(3,5): error TS2322: …`, or `error TS18003: …` without a place.
fn diagnostic(done: &Done, line: &str) -> Option<Diagnostic> {
    if line.starts_with("error TS") {
        return Some(Diagnostic { path: None, line: None, message: line.to_owned() });
    }
    let (place, message) = line.split_once("): error TS")?;
    let (path, at) = place.rsplit_once('(')?;
    let number = at.split(',').next()?.parse().ok();
    Some(Diagnostic { path: done.path(path), line: number, message: format!("TS{message}") })
}
