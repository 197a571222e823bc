//! The test runners, one file each: how it is started and how its report is read.

mod cargo_test;
mod go_test;
mod jest;
mod junit;
mod node;
mod node_test;
mod pytest;

use super::job::{FinishedJob, Job, MissingTool};
use super::job_context::JobContext;
use super::projects::{Language, Project};
use super::report::{Report, TestOutcome, TestReport, output_tail};
use guardhost_core::error::Result;

/// The job that runs a project's tests; None when it has no runner that the host knows. `only` are the repository's paths of the test
/// files to run; empty means all.
pub fn job(context: &JobContext, project: &Project, only: &[String]) -> Result<Option<Result<Job, MissingTool>>> {
    Ok(match project.language {
        Language::Cargo => Some(cargo_test::job(context, project)),
        Language::Go => Some(go_test::job(context, project)),
        Language::Node => node::job(context, project, only)?,
        Language::Python => Some(pytest::job(context, project, only)?),
    })
}

/// Reads the report of the job's runner.
pub fn read(finished: &FinishedJob) -> TestReport {
    match finished.job.tool {
        cargo_test::NAME => cargo_test::read(finished),
        go_test::NAME => go_test::read(finished),
        jest::JEST | jest::VITEST => jest::read(finished),
        node_test::NAME => node_test::read(finished),
        pytest::NAME => pytest::read(finished),
        other => TestReport::without_result(other, &finished.job.project, Some("no such runner".to_owned()), &[]),
    }
}

impl Report for TestReport {
    fn read(finished: &FinishedJob) -> Self {
        read(finished)
    }

    fn without_result(tool: &str, project: &str, not_run: Option<String>, output: &[u8]) -> Self {
        let (runner, project) = (tool.to_owned(), project.to_owned());
        TestReport { runner, project, not_run, output: output_tail(output), ..TestReport::default() }
    }

    fn is_complete(&self) -> bool {
        self.complete && self.tests.iter().any(|test| test.outcome == TestOutcome::Passed)
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.tests.iter_mut().flat_map(|test| [&mut test.id, &mut test.detail]).chain([&mut self.output]).collect()
    }
}
