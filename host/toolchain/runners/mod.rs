//! The test runners, one file each: how it is started and how its report is read.

mod cargo_test;
pub mod configured;
mod covered;
mod exit_codes;
mod go_test;
mod jest;
pub mod junit;
mod libtest;
mod node;
mod node_test;
pub mod presets;
mod pytest;
mod recorded;
#[cfg(unix)]
pub mod run_suite;
pub mod suite;
mod tap;

use std::sync::Arc;

use configured::ConfiguredRunner;
pub use covered::covered;

use super::first_error::{first_error, last_words};
use super::job::{FinishedJob, MissingTool, ProjectTool, ToolJob};
use super::job_context::JobContext;
use super::projects::{Project, ProjectKind};
use super::report::{NotRun, Test, TestOutcome, TestReport, ToolReport, output_tail};
use super::request::TestSelection;
use guardhost_core::error::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestRunner {
    CargoTest,
    /// One that `guards.toml` names.
    Configured(Arc<ConfiguredRunner>),
    GoTest,
    Jest,
    NodeTest,
    Pytest,
    Vitest,
}

impl ProjectTool for TestRunner {
    fn name(&self) -> &str {
        match self {
            TestRunner::CargoTest => "cargo-test",
            TestRunner::Configured(runner) => &runner.name,
            TestRunner::GoTest => "go-test",
            TestRunner::Jest => "jest",
            TestRunner::NodeTest => "node-test",
            TestRunner::Pytest => "pytest",
            TestRunner::Vitest => "vitest",
        }
    }
}

/// Programs of the host that run inside of test runners, by the names of their files.
pub const REPORTERS: [(&str, &str); 10] = [
    ("channel.cjs", include_str!("reporters/channel.cjs")),
    ("jest.cjs", include_str!("reporters/jest.cjs")),
    ("minitest.rb", include_str!("reporters/minitest.rb")),
    ("node.mjs", include_str!("reporters/node.mjs")),
    ("pytest_driver.py", include_str!("reporters/pytest_driver.py")),
    ("python_lines.py", include_str!("reporters/python_lines.py")),
    ("rspec.rb", include_str!("reporters/rspec.rb")),
    ("ruby_lines.rb", include_str!("reporters/ruby_lines.rb")),
    ("unittest_tap.py", include_str!("reporters/unittest_tap.py")),
    ("vitest.mjs", include_str!("reporters/vitest.mjs")),
];

type PlannedTests = Result<ToolJob<TestRunner>, MissingTool<TestRunner>>;

/// The job that runs a project's tests; None when it has no runner that the host knows.
pub fn job(context: &JobContext, project: &Project, selection: &TestSelection) -> Result<Option<PlannedTests>> {
    Ok(match project.language {
        ProjectKind::Cargo => Some(cargo_test::job(context, project, selection)?),
        ProjectKind::Go => Some(go_test::job(context, project, selection)),
        ProjectKind::Node => node::job(context, project, selection)?,
        ProjectKind::Python => Some(pytest::job(context, project, selection)?),
    })
}

impl ToolReport for TestReport {
    type Tool = TestRunner;

    fn read(finished: &FinishedJob<TestRunner>) -> Self {
        let (tests, whole, output) = match &finished.job.tool {
            TestRunner::CargoTest => cargo_test::read(finished),
            TestRunner::Configured(runner) => configured::read(finished, runner),
            TestRunner::GoTest => go_test::read(finished),
            TestRunner::Jest | TestRunner::Vitest => jest::read(finished),
            TestRunner::NodeTest => node_test::read(finished),
            TestRunner::Pytest => pytest::read(finished),
        };
        let whole = whole.map_err(|why| with_reason(&why, &tests, &finished.exit.output));
        TestReport::new(finished.job.tool.name(), &finished.job.project, tests, whole, &output)
    }

    fn without_result(tool: TestRunner, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let (runner, project) = (tool.name().to_owned(), project.to_owned());
        TestReport { runner, project, not_run, output: output_tail(output), ..TestReport::default() }
    }

    fn is_complete(&self) -> bool {
        self.complete && self.tests.iter().any(|test| test.outcome == TestOutcome::Passed)
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.tests.iter_mut().flat_map(|test| [&mut test.id, &mut test.detail]).chain([&mut self.output]).collect()
    }
}

/// Why the tests are not all, in the runner's own words too. A test that failed tells more, and what it prints is none of them.
fn with_reason(why: &str, tests: &[Test], output: &[u8]) -> String {
    let said = match tests {
        [] => last_words(output),
        _ if tests.iter().any(|test| test.outcome.is_failure()) => None,
        _ => first_error(output),
    };
    said.map_or_else(|| why.to_owned(), |said| format!("{why}: {}", said.trim_end_matches('.')))
}

/// The tests, why these are not all if they are not, and the output to show.
type Parts = (Vec<Test>, Result<(), String>, Vec<u8>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_prints_is_no_reason() {
        let output = b"a.go:1:2: missing go.sum entry\nthe end.\n";
        let tests = |outcome| [Test::new("a", outcome)];
        let reason = |tests: &[Test], output: &[u8]| with_reason("it ended", tests, output);
        assert_eq!(reason(&[], output), "it ended: a.go:1:2: missing go.sum entry");
        assert_eq!(reason(&[], b"pattern ./...: no modules.\n"), "it ended: pattern ./...: no modules");
        assert_eq!(reason(&[], b""), "it ended");
        assert_eq!(reason(&tests(TestOutcome::Passed), b"the end"), "it ended");
        assert_eq!(reason(&tests(TestOutcome::Failed), output), "it ended");
    }
}
