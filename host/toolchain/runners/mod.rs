//! The runners of tests, one file each: how one is started, and how its report is read.

mod cargo_test;
mod go_test;
mod jest;
mod junit;
pub mod node;
mod node_test;
mod pytest;

use std::path::Path;

use super::job::{Done, Job, Missing};
use super::machine::Machine;
use super::projects::{Files, Language, Project, join};
use super::report::{Report, TestReport};
use super::test_files;
use crate::error::Result;

/// What jobs are made from.
pub struct Bench<'a> {
    pub machine: &'a Machine,
    pub files: Files<'a>,
    /// The user's work tree, for what git does not keep.
    pub workdir: Option<&'a Path>,
}

/// The job that runs a project's tests; None when it has none that the host knows. `only` are the repository's paths of the test files
/// that matter; empty means all.
pub fn job(bench: &Bench, project: &Project, only: &[String]) -> Result<Option<Result<Job, Missing>>> {
    Ok(match project.language {
        Language::Cargo => Some(cargo_test::job(bench, project)),
        Language::Go => Some(go_test::job(bench, project)),
        Language::Node => node::job(bench, project, only)?,
        Language::Python => Some(pytest::job(bench, project, only)?),
    })
}

/// What the job's runner said.
pub fn read(done: &Done) -> TestReport {
    match done.job.tool {
        cargo_test::NAME => cargo_test::read(done),
        go_test::NAME => go_test::read(done),
        jest::JEST | jest::VITEST => jest::read(done),
        node_test::NAME => node_test::read(done),
        pytest::NAME => pytest::read(done),
        other => TestReport::nothing(other, &done.job.project, Some("no such runner".to_owned()), &[]),
    }
}

/// The test files below a folder, as a runner there is told them; none, which means all of them, when one cannot be run by itself.
fn told(only: &[String], folder: &str) -> Vec<String> {
    let above = join(folder, "");
    let here: Vec<&str> = only.iter().filter_map(|path| path.strip_prefix(&above)).collect();
    match here.iter().all(|path| test_files::runs(path)) {
        true => here.into_iter().map(str::to_owned).collect(),
        false => Vec::new(),
    }
}
