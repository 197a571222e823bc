//! The runners of tests, one file each: how one is started, and how its report is read.

mod cargo_test;
mod go_test;
mod jest;
mod junit;
mod node;
mod node_test;
mod pytest;

use super::bench::Bench;
use super::job::{Done, Job, Missing};
use super::projects::{Language, Project};
use super::report::{Report, TestReport};
use guardhost_core::error::Result;

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
