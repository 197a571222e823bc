//! jest and vitest, read from reporters of our own.

use super::TestRunner;
use super::exit_codes::USUAL;
use super::{Parts, PlannedTests, recorded};
use crate::job::{FinishedJob, ProjectTool};
use crate::job_context::JobContext;
use crate::node::{base, installed};
use crate::request::TestSelection;

pub fn job(context: &JobContext, tool: TestRunner, folder: &str, here: &TestSelection) -> PlannedTests {
    let mut job = base(context, tool.clone(), folder)?;
    installed(context, &mut job, folder, tool.name())?;
    // Coverage that is too low would fail a run in which every test passes.
    let words: &[&str] = match tool {
        TestRunner::Vitest => {
            &["run", "--reporter={reporters}/vitest.mjs", "--coverage.enabled=false", "--passWithNoTests", "--no-color"]
        }
        _ => &["--ci", "--reporters={reporters}/jest.cjs", "--coverage=false", "--passWithNoTests", "--no-color"],
    };
    job.args.extend(words.iter().map(|word| word.to_string()));
    if here.until_failure {
        job.args.push("--bail=1".to_owned());
    }
    job.args.extend(here.paths.iter().cloned());
    Ok(job)
}

pub fn read(finished: &FinishedJob<TestRunner>) -> Parts {
    let (tests, whole) = recorded::tests(finished);
    let whole = whole.and_then(|()| USUAL.agree(finished.exit.code, &tests));
    (tests, whole, finished.exit.output.clone())
}
