//! A job that also tells which lines its tests go over.

use super::{PlannedTests, TestRunner};
use crate::coverage::CoverageFormat;
use crate::job::{MissingTool, ToolJob};
use crate::report::NotRun;

/// Where the host's own reporters write the lines to.
const LINES: (&str, &str) = ("GUARDHOST_COVERAGE", "{coverage}/lines.json");

/// The same job with lines, or why this runner tells none.
pub fn covered(mut job: ToolJob<TestRunner>) -> PlannedTests {
    let format = match &job.tool {
        TestRunner::Pytest => Ok(CoverageFormat::Python),
        TestRunner::GoTest => Ok(CoverageFormat::Go),
        TestRunner::NodeTest => Ok(CoverageFormat::V8),
        TestRunner::Configured(runner) => runner.coverage().ok_or(
            "a runner of guards.toml counts lines only through a reporter of the host: unittest, rspec and minitest",
        ),
        TestRunner::Jest | TestRunner::Vitest => Err("it runs the code in a translated form, whose lines are not read"),
        TestRunner::CargoTest => Err("cargo test counts no lines without LLVM's tools, which are not used"),
    };
    let format = match format {
        Ok(format) => format,
        Err(why) => {
            let why = NotRun::ByTheTree { by_the_tree: why.to_string() };
            return Err(MissingTool { tool: job.tool, project: job.project, why });
        }
    };
    match format {
        CoverageFormat::Python | CoverageFormat::Ruby => job.env.push((LINES.0, LINES.1.to_owned())),
        CoverageFormat::V8 => job.env.push(("NODE_V8_COVERAGE", "{coverage}".to_owned())),
        // Of all packages, because the tests of one may be the only ones that go over another.
        CoverageFormat::Go => {
            let words = ["-coverpkg=./...", "-coverprofile={coverage}/profile"].map(str::to_owned);
            job.args.splice(1..1, words);
        }
    }
    job.coverage = Some(format);
    Ok(job)
}
