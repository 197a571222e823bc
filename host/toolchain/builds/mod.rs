//! The builds, one file a tool: how it is started, and how its errors are read.

pub mod cargo;
pub mod go;
mod python;
mod tsc;

use super::bench::Bench;
use super::job::{Done, Job, Missing};
use super::projects::{Language, Project};
use super::report::{BuildReport, Report};
use guardhost_core::error::Result;

/// The job that builds a project; None when it has no build, or when nothing that is touched belongs to it. `touched` are the
/// repository's paths on this side.
pub fn job(bench: &Bench, project: &Project, touched: &[String]) -> Result<Option<Result<Job, Missing>>> {
    let concerns = |endings: &[&str]| touched.iter().any(|path| endings.iter().any(|ending| path.ends_with(ending)));
    Ok(match project.language {
        Language::Cargo if concerns(&[".rs", "Cargo.toml", "Cargo.lock"]) => Some(cargo::job(bench, project)),
        Language::Go if concerns(&[".go", "go.mod", "go.sum", "go.work"]) => Some(go::job(bench, project)),
        Language::Node if concerns(&tsc::CONCERNED) => tsc::job(bench, project)?,
        Language::Python if concerns(&[".py"]) => python::job(bench, project, touched)?,
        _ => None,
    })
}

/// What the job's tool said.
pub fn read(done: &Done) -> BuildReport {
    match done.job.tool {
        cargo::NAME => cargo::read(done),
        go::NAME => go::read(done),
        python::NAME => python::read(done),
        tsc::NAME => tsc::read(done),
        other => BuildReport::nothing(other, &done.job.project, Some("no such build".to_owned()), &[]),
    }
}
